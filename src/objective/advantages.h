// Advantages from the rewards of groups of answers to the same prompt (TRL's GRPOTrainer and RLOOTrainer):
//
//   A_i = (r_i - b_i) / s
//   b_i   mean of the group, or with `leave_one_out` the mean of the others in it
//   s     group: standard deviation of the group + 1e-4; batch: that of all rewards + 1e-4; none: 1
//
// With several turns the reward of a turn is its return, r_t + gamma r_{t+1} + gamma^2 r_{t+2} + ..., and a group is the
// answers to one prompt in the same turn (Kevin, arXiv 2507.11948; with leave_one_out the TRLOO of Dr. Kernel, arXiv
// 2602.05885). Conversations that ended earlier are not in it, so groups have different sizes.
//
// Standard deviations are those of samples (n - 1 in the denominator; 0 where there is one reward). A reward that is
// not a number stands for an answer without a verdict: it has the advantage 0 and no part in means and deviations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objective/policy_settings.h"

namespace cuset::objective {

struct RewardMoments {
  size_t count = 0;  // of rewards that are numbers
  double mean = 0;
  double deviation = 0;
  bool has_spread = false;  // two of them differ
};

RewardMoments moments_of(std::span<const double> rewards);

// `group` has the number of each reward's group, from 0 on; groups may have any size.
std::vector<double> advantages_of(const PolicySettings& settings, std::span<const double> rewards,
                                  std::span<const size_t> group);

// The returns of a conversation's turns. A turn without a reward has none, and adds nothing to those before it.
std::vector<double> discounted_returns(std::span<const double> rewards, double discount);

}  // namespace cuset::objective
