// One sampled answer of a step, from the prompt to its reward. With several turns (reinforce/conversation.h) it is the
// answer of one turn of a conversation, and learned from with that turn's prompt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "generate/generation.h"
#include "generate/generation_prompts.h"
#include "judge/verdict/verdict.h"
#include "reinforce/reward.h"
#include "tasks/task.h"

namespace cuset::reinforce {

struct TaskPrompt {
  const tasks::Task* task = nullptr;
  std::string level;
  std::vector<int64_t> ids;
  const generate::EncodedPrompt* encoded = nullptr;  // what later turns continue; belongs to the caller
};

struct Rollout {
  uint64_t draw = 0;    // number of its group among all that the run has drawn
  uint32_t sample = 0;  // within the group
  uint32_t turn = 1;
  const TaskPrompt* prompt = nullptr;
  std::vector<int64_t> turn_prompt = {};  // tokens of the conversation so far; empty in the first turn
  std::optional<generate::GeneratedAnswer> answer = std::nullopt;
  std::optional<judge::Verdict> verdict = std::nullopt;

  // Once there is a verdict:
  std::string feedback = {};  // that the next turn answers; empty where there is none
  Reward reward = {};
  double turn_return =
      0;  // its reward and what later turns of the conversation add; not a number without a verdict
  bool is_kept = false;  // its group has spread: it is learned from
  double advantage = 0;

  const std::vector<int64_t>& prompt_ids() const { return turn == 1 ? prompt->ids : turn_prompt; }

  bool is_truncated() const { return answer && answer->finish == generate::Finish::kLength; }
};

// The order in which prompts are drawn: all of them in a random order, then all again in another, without end. The first
// pass may have the order that they come in.
class PromptOrder {
 public:
  enum class FirstPass { kRandom, kAsGiven };
  PromptOrder(size_t prompts, uint64_t seed, FirstPass first = FirstPass::kRandom);

  uint64_t drawn() const { return stream_.position(); }
  void seek(uint64_t drawn) { stream_.seek(drawn); }
  // The next draw's prompt.
  size_t take();
  // Passes over all prompts so far.
  double epoch() const { return static_cast<double>(drawn()) / static_cast<double>(prompts_); }

 private:
  size_t prompts_;
  FirstPass first_;
  base::RandomStream stream_;  // its position counts draws
  uint64_t pass_ = UINT64_MAX;
  std::vector<size_t> order_;  // of that pass
};

}  // namespace cuset::reinforce
