// Everything that decides a reinforcement run. Free of LibTorch headers, so that the command line may include it;
// docs/reinforce.md has the keys of configuration files that fill it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/json/json.h"
#include "generate/generation.h"
#include "generate/generation_prompts.h"
#include "judge/verdict/judge_settings.h"
#include "objective/policy_settings.h"
#include "reinforce/critic_settings.h"
#include "reinforce/pass_rates.h"
#include "reinforce/reward.h"
#include "train/training_settings.h"

namespace cuset::reinforce {

struct ReinforceSettings {
  // Model, optimizer, schedule, intervals and run folder as for every training. Of its data only the most tokens of a
  // pack count, of its order epochs, steps and the examples of a pack.
  train::TrainingSettings training;
  std::filesystem::path tasks;
  generate::PromptChoice choice;
  std::filesystem::path pass_rates;  // verdicts on these tasks; empty: none are known
  PassRateRange pass_rate_range;     // of the prompts that are used, where rates are known
  PromptOrder::FirstPass first_pass = PromptOrder::FirstPass::kRandom;
  int64_t prompts_per_step = 8;
  int64_t num_generations = 8;  // answers to each prompt
  int64_t num_iterations = 1;   // updates with the answers of a step
  int64_t resample_rounds = 1;  // of further prompts where groups have no spread
  int64_t num_turns = 1;        // of a conversation: answers that are not correct get feedback
  double turn_discount = 0.4;   // of what later turns earn
  bool mask_truncated_completions = false;
  objective::PolicySettings policy;
  generate::GenerationSettings generation;
  int64_t slots = 64;  // answers sampled at the same time
  RewardSettings reward;
  CriticSettings critic;
  judge::JudgeSettings judge;
  int64_t workers = 0;  // answers judged at the same time; 0: one per core

  // Throws UsageError naming the first key whose value is out of its range or contradicts another.
  void check() const;
};

// Those settings that a resumed run may not change.
base::Json lasting_settings(const ReinforceSettings& settings);

}  // namespace cuset::reinforce
