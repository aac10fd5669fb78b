// A whole draft of a pool: the largest or the mean of the numbers under a window, channel by channel.
#pragma once

#include "gym/family.h"
#include "gym/solutions/sliding_window.h"

namespace cuset::gym {

struct PoolDraft {
  SlidingWindow window = {};
  bool largest = true;
  int64_t batch = 1;
  int64_t channels = 1;
};

// Everything but the titles.
GymDraft pool_draft(const PoolDraft& pool, base::RandomStream& stream);

// A family of pools whose windows may overlap and reach over the rim.
struct PoolFamily {
  bool largest = true;
  std::vector<std::string> axes = {};  // "height", "width"
  int64_t least_side = 1;
  int64_t most_side = 1;
  std::string_view of = {};  // "images"
};

// One task of it, with its titles.
GymDraft draw_pool(const PoolFamily& family, base::RandomStream& stream);

}  // namespace cuset::gym
