// Inputs and launch for a kernel that no task describes, guessed from its signature and use.
//
// Buffers are large (65,536 elements) and sizes small, so that any product of three sizes stays inside; a kernel that
// leaves the buffers all the same is wrong, or wants something that its signature does not tell. Whole numbers by value
// count as sizes unless their name says otherwise (offset, stride, radius, ...). Arrays of whole numbers hold 0 .. 15, or
// ascend where their name speaks of offsets. The block is that of the source's own launch, of its shared array, or the
// usual one; the grid covers the sizes, and is one block where nobody asks for its number.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "cuda_source/kernel_interface.h"

namespace cuset::curate {

// Of one parameter, in its order.
struct TrialArgument {
  bool is_buffer = false;
  double value = 0;   // by value
  int64_t count = 0;  // of a buffer: its elements
  double low = 0;     // its numbers: low <= x < high
  double high = 1;
  bool is_ascending = false;  // 0, 2, 4, ... up to `high`

  friend bool operator==(const TrialArgument&, const TrialArgument&) = default;
};

struct TrialSet {
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
  int64_t shared_bytes = 0;
  uint32_t seed = 0;  // of the buffers' numbers
  std::vector<TrialArgument> arguments;

  friend bool operator==(const TrialSet&, const TrialSet&) = default;
};

enum class SizeGuess : uint8_t {
  kUsual,  // a single size of a grid with one dimension is some hundreds, others some tens
  kSmall,  // all some tens: a single size may be the side of a matrix
};

// `count` sets, the same for the same stream.
std::vector<TrialSet> draw_trial_sets(const cuda_source::KernelInterface& kernel, size_t count,
                                      SizeGuess guess, const base::RandomStream& stream);

// What stands between < and > where the kernel is a template: as its launch says, else float for types and the block's
// side for values.
std::string template_arguments_for(const cuda_source::KernelInterface& kernel);

// The words that the program of trial_program.h reads.
std::vector<std::string> words_of(const TrialSet& set);

}  // namespace cuset::curate
