// The order in which blocks, warps and lanes take their turns. By default it is the natural one; other
// orders, drawn from a seed ($CUSET_EMULATOR_SCHEDULE), bring out results that depend on the order of
// threads.
#pragma once

#include <cstdint>
#include <vector>

namespace cuset_emulator {

class Schedule {
 public:
  // Of this program: from the environment, read once.
  static const Schedule& of_program();

  explicit Schedule(uint64_t seed) : seed_(seed) {}
  bool is_natural() const { return seed_ == 0; }

  // The block that runs at `position` of `count`; a permutation for each launch.
  uint64_t block_at(uint64_t position, uint64_t count, uint64_t launch) const;

  // A permutation of 0..count-1, the same for the same arguments.
  void shuffle(std::vector<uint16_t>& order, uint64_t stream) const;

 private:
  uint64_t seed_;
};

}  // namespace cuset_emulator
