// What `cuset evaluate` prints at its end: a line for each set of answers, what one gains on another, and what
// further turns gained.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "judge/results/summary.h"
#include "reinforce/conversation.h"

namespace cuset::cli {

struct EvaluatedSet {
  std::string name;
  judge::Summary summary;
  std::vector<judge::Verdict> verdicts;
  std::vector<reinforce::Conversation> conversations = {};  // with --turns
};

// Several lines: answers; compile and function pass@1, and pass@3 where there are so many samples, with
// intervals; tokens.
std::string render_evaluation(std::span<const EvaluatedSet> sets);

// What each set gains on the first, and on the second where that is another one: function pass@1, paired by
// task.
//   "sft against base: +41.2 points (30.1 to 52.0)"
//   "cuset against sft: -1.7 points (-6.0 to 2.4), within the noise"
std::vector<std::string> describe_gains(std::span<const EvaluatedSet> sets);

// A line for each turn: answers given in it, rates after it, tokens of answers and of prompts up to it; then the gain
// of the last turn on the first. Answers without a verdict count as wrong, so that lines have the same denominator.
std::string render_turns(std::span<const reinforce::Conversation> conversations, int64_t turns);

}  // namespace cuset::cli
