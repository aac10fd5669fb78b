// The order in which blocks, warps and lanes take their turns. By default it is the natural one, order 0; others
// bring out results that depend on the order of threads: 1 is the natural one backward, so that every two
// threads change places, further ones are drawn. $CUSET_EMULATOR_SCHEDULE has the number; with a "+" behind it
// every further trial takes the next.
#pragma once

#include <cstdint>
#include <vector>

namespace cuset_emulator {

class Schedule {
 public:
  // Of this program: from the environment, read once.
  static Schedule& of_program();

  explicit Schedule(uint64_t order) : order_(order) {}
  bool is_natural() const { return order_ == 0; }
  bool is_backward() const { return order_ == 1; }
  void take_order(uint64_t order) { order_ = order; }

  // The block that runs at `position` of `count`; a permutation for each launch.
  uint64_t block_at(uint64_t position, uint64_t count, uint64_t launch) const;

  // Whether a thread lets others run at a place where it may be interrupted, `place` of which it has passed. Never in the
  // natural order; backward always at its first ones, so that all threads come there before any continues; then seldom, so
  // that loops end; in the end never, so that a thread that waits for others is known to do nothing else.
  bool preempts(uint64_t thread, uint32_t place) const;

  // Whether work of the other streams runs before that of the one the host waits for (deferred_work.h).
  bool runs_other_streams_first() const { return order_ % 2 == 1; }

  // A permutation of 0..count-1, the same for the same arguments.
  void shuffle(std::vector<uint16_t>& order, uint64_t stream) const;

 private:
  uint64_t order_;
};

// The program is called for the next of several trials, numbered from 0.
void begin_trial(uint64_t trial);

}  // namespace cuset_emulator
