// What a step of reinforcement learning measured, under TRL's names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/json/json.h"
#include "reinforce/rollout.h"
#include "reinforce/rollout_collector.h"

namespace cuset::reinforce {

// Of rollouts with rewards and returns, conversation after conversation: rewards and their parts, lengths, rates of
// outcomes. `pass_rate` counts conversations, by their last answers.
base::Json describe_rollouts(std::span<const Rollout> rollouts);

// For every turn: how many answers it has, their mean reward, and the pass rate after it, which counts the latest
// answer of every conversation.
base::Json describe_turns(std::span<const Rollout> rollouts, int64_t turns);

// What the terminal shows of a step.
std::vector<std::string> shown_metrics();

}  // namespace cuset::reinforce
