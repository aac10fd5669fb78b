// What a step of reinforcement learning measured, under TRL's names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/json/json.h"
#include "reinforce/rollout.h"
#include "reinforce/rollout_collector.h"

namespace cuset::reinforce {

// Of groups of `group_size` rollouts with rewards, one after another: rewards and their parts, lengths, rates of
// outcomes.
base::Json describe_rollouts(std::span<const Rollout> rollouts, size_t group_size);

// What the terminal shows of a step.
std::vector<std::string> shown_metrics();

}  // namespace cuset::reinforce
