// One sampled answer of a step, from the prompt to its reward.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "generate/generation.h"
#include "judge/verdict/verdict.h"
#include "reinforce/reward.h"
#include "tasks/task.h"

namespace cuset::reinforce {

struct TaskPrompt {
  const tasks::Task* task = nullptr;
  std::string level;
  std::vector<int64_t> ids;
};

struct Rollout {
  uint64_t draw = 0;    // number of its group among all that the run has drawn
  uint32_t sample = 0;  // within the group
  const TaskPrompt* prompt = nullptr;
  std::optional<generate::GeneratedAnswer> answer = std::nullopt;
  std::optional<judge::Verdict> verdict = std::nullopt;

  // Once there is a verdict:
  Reward reward = {};
  double advantage = 0;

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
