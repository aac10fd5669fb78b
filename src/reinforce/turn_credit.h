// From the rewards of a step's answers to their advantages, over conversations of one turn or more:
//
//   1. return     R_t = r_t + gamma R_{t+1}: a turn is credited with what it leads to
//   2. groups     the answers to one draw in the same turn; those without spread teach nothing
//   3. advantage  of a return within its group (objective/advantages.h)
#pragma once

#include <cstdint>
#include <span>

#include "objective/policy_settings.h"
#include "reinforce/rollout.h"

namespace cuset::reinforce {

// Sets turn_return of rollouts with rewards; the turns of a conversation stand one after another.
void give_returns(std::span<Rollout> rollouts, double discount);

// Sets is_kept for the rollouts of every group that has spread and an answer that is learned from. Returns the number
// of draws with such a group.
int64_t keep_groups_with_spread(std::span<Rollout> rollouts, bool masks_truncated);

// Sets the advantages of kept rollouts.
void give_advantages(const objective::PolicySettings& settings, std::span<Rollout> rollouts);

// The number of each rollout's group, from 0 on in the order of their first rollouts.
std::vector<size_t> groups_of(std::span<const Rollout> rollouts);

}  // namespace cuset::reinforce
