// A whole draft of a pool: the largest or the mean of the numbers under a window, channel by channel.
#pragma once

#include "gym/family.h"
#include "gym/solutions/sliding_window.h"

namespace cuset {

struct PoolDraft {
  SlidingWindow window = {};
  bool largest = true;
  int64_t batch = 1;
  int64_t channels = 1;
};

// Everything but the titles.
GymDraft pool_draft(const PoolDraft& pool, RandomStream& stream);

}  // namespace cuset
