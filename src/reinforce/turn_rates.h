// What conversations came to, turn by turn: how many were solved so far, and with how many tokens.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "judge/results/summary.h"
#include "reinforce/conversation.h"

namespace cuset::reinforce {

struct TurnRates {
  int64_t turn = 1;
  size_t answers = 0;  // that were given in this turn
  int64_t tokens = 0;  // generated in this turn and all before
  int64_t prompt_tokens = 0;
  judge::Summary after;  // of the latest verdict of every conversation
};

// The latest verdict of every conversation after `turn` turns, with the tokens of all its answers so far.
std::vector<judge::Verdict> verdicts_after(std::span<const Conversation> conversations, int64_t turn);

// Of every turn from the first to `turns`, also where no conversation came so far.
std::vector<TurnRates> rates_by_turn(std::span<const Conversation> conversations, int64_t turns);

// The gain in function pass@1 from the first turn to the last; nothing where no answer has a verdict.
std::optional<base::Estimate> gain_of_turns(std::span<const Conversation> conversations, int64_t turns);

// What is stored and printed: {"turns": [...], "gain", "ends"}.
base::Json json_of_rates(std::span<const Conversation> conversations, int64_t turns);

}  // namespace cuset::reinforce
