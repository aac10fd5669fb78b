// The inputs of one trial: fresh values from the task's domains, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/stats/random.h"
#include "tasks/task.h"

namespace cuset::tasks {

// Every variation keeps the support of a domain (what is a probability stays one, labels stay below n) and
// the order of magnitude, so that tolerances keep their meaning; it changes how the values are spread.
enum class Variation : uint8_t {
  kPlain,          // as the task says
  kScaled,         // a random factor between 1/8 and 2
  kShifted,        // around another center
  kHeavyTailed,    // few large values among many small ones
  kZerosAndSigns,  // a quarter exact zeros, the rest with random signs where the domain has both
  // The low or the high side of the domain alone, with what loose code gets wrong: ties and near ties at its
  // end, halves, zeros of both signs, tiny numbers.
  kLowEdge,
  kHighEdge,
  kPeak,  // one real number everywhere but in few places: Peaks
};
inline constexpr int kVariations = 8;
inline constexpr int kSpreads = 5;  // without the edges and peaks
inline bool is_edge(Variation variation) {
  return variation == Variation::kLowEdge || variation == Variation::kHighEdge;
}

// Of kPeak: in which places an input differs from its level, which is the same everywhere else. Inputs of few
// numbers, and those whose numbers depend on each other or point at something, are as in plain trials.
struct Peaks {
  enum class Level : uint8_t { kZero, kMiddle };  // of the domain: 0 or what is next to it, or its middle
  enum Place : uint8_t { kFirst = 1, kLast = 2, kInner = 4 };  // kInner: as far in every input

  Level level = Level::kZero;
  uint8_t places = 0;  // of Place; 0: there are no peaks
};
inline constexpr int kPeakLevels = 2;
inline constexpr uint64_t kLeastWithPeaks = 8;  // numbers of an input

std::string_view name_of(Peaks::Level level);   // "middle"
std::string_view name_of(Variation variation);  // "heavy_tailed"
std::optional<Variation> variation_named(std::string_view name);

// One array for each of task.inputs, in order, of a task without a script of its own. Throws Error where its
// domains cannot give them, naming the place.
std::vector<Array> make_inputs(const Task& task, Variation variation, const base::RandomStream& stream,
                               const Peaks& peaks = {});

}  // namespace cuset::tasks
