// How much memory a launch can reach through its arguments: a stand-in for the bytes that a kernel moves, which only
// performance counters know. From every pointer, also inside of a struct, to the end of the allocation that it points
// into; an allocation counts once, from the lowest pointer. A kernel may move more (it reads twice) or less (it uses a part).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/launch/launch.h"

namespace cuset_emulator {

struct ReachedMemory {
  uint64_t begin = 0;  // of the allocation
  uint64_t end = 0;
};
// The allocation that an address points into; none where it does not.
using FindMemory = std::function<std::optional<ReachedMemory>(uint64_t address)>;

uint64_t footprint_of(const std::vector<std::span<char>>& arguments, const FindMemory& find);

// What the launches of a program reached, one entry for each kernel and shape, as it is left for the judge
// (device_account.h).
class Footprints {
 public:
  // Nothing is kept of what reaches nothing, nor of more than so many kernels and shapes as a record has.
  void add(const std::string& kernel, const LaunchShape& shape, uint64_t bytes);
  std::string text() const;

 private:
  struct Entry {
    std::string kernel;  // the name that a record has
    LaunchShape shape;
    uint64_t launches = 0;
    uint64_t bytes = 0;  // of all launches
  };
  std::vector<Entry> entries_;
};

}  // namespace cuset_emulator
