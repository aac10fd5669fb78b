#include "cli/commands/train/reinforce_keys.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "cli/commands/train/train_settings.h"
#include "support/error_text.h"

namespace cuset::cli {
namespace {

// The keys of a command line, given as key=value.
class ReinforceKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"config.json", "tokenizer.json"}) base::write_file_atomic(folder_ / file, "");
  }

  reinforce::ReinforceSettings settings(const std::vector<std::string>& pairs, bool with_tasks = true) const {
    TrainKeys train_keys;
    ReinforceKeys keys;
    Settings settings;
    train_keys.declare(settings);
    keys.declare(settings);
    settings.assign_pair("model=" + folder_.path().string());
    settings.assign_pair("output=run");
    settings.assign_pair("stage=grpo");
    if (with_tasks) settings.assign_pair("tasks=tasks.jsonl");
    for (const std::string& pair : pairs) settings.assign_pair(pair);
    EXPECT_TRUE(train_keys.is_reinforcement());
    return keys.resolve(settings, train_keys.resolve_shared(settings));
  }

  std::string complaint(const std::vector<std::string>& pairs, bool with_tasks = true) const {
    try {
      settings(pairs, with_tasks);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  base::TemporaryFolder folder_;
};

TEST_F(ReinforceKeysTest, DefaultsAreTrls) {
  const reinforce::ReinforceSettings run = settings({});
  EXPECT_EQ(run.num_generations, 8);
  EXPECT_EQ(run.num_iterations, 1);
  EXPECT_EQ(run.policy.loss_type, objective::LossType::kDapo);
  EXPECT_EQ(run.policy.epsilon, 0.2);
  EXPECT_EQ(run.policy.epsilon_high, 0.2);
  EXPECT_EQ(run.policy.beta, 0);
  EXPECT_EQ(run.policy.scale_rewards, objective::ScaleRewards::kGroup);
  EXPECT_EQ(run.policy.importance_sampling_mode, objective::MismatchCorrection::kSequenceMask);
  EXPECT_EQ(run.policy.importance_sampling_cap, 3);
  EXPECT_EQ(run.generation.sampling.temperature, 1);
  EXPECT_FALSE(run.mask_truncated_completions);
  EXPECT_EQ(run.training.schedule.kind, train::ScheduleKind::kLinear);
  EXPECT_EQ(run.training.schedule.learning_rate, 1e-5);
  EXPECT_EQ(run.training.model.lora.dropout, 0);
  EXPECT_EQ(run.training.saving.steps, 10);
  EXPECT_EQ(run.judge.seed, 42u) << "that of the run";
  EXPECT_EQ(run.num_turns, 1);
  EXPECT_EQ(run.turn_discount, 0.4) << "Kevin's";
  EXPECT_EQ(settings({"turns=3"}).num_turns, 3);
}

TEST_F(ReinforceKeysTest, LossTypesBringTheirUsualConstants) {
  EXPECT_EQ(settings({"epsilon=0.1"}).policy.epsilon_high, 0.1);
  EXPECT_EQ(settings({"epsilon_high=0.28"}).policy.epsilon_high, 0.28);
  EXPECT_EQ(settings({"loss_type=cispo"}).policy.epsilon_high, 5);
  const objective::PolicySettings rloo = settings({"loss_type=rloo"}).policy;
  EXPECT_TRUE(rloo.leave_one_out);
  EXPECT_EQ(rloo.scale_rewards, objective::ScaleRewards::kNone);
  EXPECT_EQ(settings({"loss_type=rloo", "scale_rewards=batch"}).policy.scale_rewards,
            objective::ScaleRewards::kBatch);
}

TEST_F(ReinforceKeysTest, TrlsNamesOfTheCorrectionAreTaken) {
  EXPECT_EQ(settings({"vllm_importance_sampling_correction=false"}).policy.importance_sampling_mode,
            objective::MismatchCorrection::kNone);
  EXPECT_EQ(settings({"vllm_importance_sampling_mode=token_truncate", "vllm_importance_sampling_cap=2"})
                .policy.importance_sampling_cap,
            2);
}

TEST_F(ReinforceKeysTest, WhatCannotBeIsNamed) {
  EXPECT_EQ(complaint({}, false), "tasks is missing: the file of tasks that stage: grpo learns from");
  EXPECT_EQ(support::error_of([&] { settings({"data=train.jsonl"}); }),
            "data is not a key of stage: grpo (it learns from tasks: --tasks FILE)");
  EXPECT_EQ(complaint({"num_generations=1"}), "num_generations is 1, but must be at least 2");
  EXPECT_EQ(complaint({"temperature=0"}), "temperature is 0: all answers of a group would be the same");
  EXPECT_EQ(complaint({"finetuning_type=full"}), "stage: grpo needs finetuning_type: lora");
  EXPECT_EQ(complaint({"lora_dropout=0.05"}), "lora_dropout is 0.05, but stage: grpo needs 0");
  EXPECT_EQ(complaint({"num_turns=0"}), "num_turns is 0, but must be at least 1");
  EXPECT_EQ(complaint({"turn_discount=1.5"}), "turn_discount: 1.5 is out of range");
  EXPECT_EQ(complaint({"beta=-1"}), "beta: -1 is out of range");
  EXPECT_EQ(complaint({"reward_correct=-1"}), "reward_correct: -1 is out of range");
}

TEST_F(ReinforceKeysTest, TheCriticIsChosenByWhatIsGiven) {
  using reinforce::CriticKind;
  EXPECT_EQ(settings({}).critic.kind, CriticKind::kNone);
  EXPECT_EQ(settings({"critic=rules"}).critic.weight, 0.5);
  const reinforce::CriticSettings endpoint =
      settings({"critic_url=http://host/v1/", "critic_model=m", "critic_weight=2"}).critic;
  EXPECT_EQ(endpoint.kind, CriticKind::kEndpoint);
  EXPECT_EQ(endpoint.url, "http://host/v1");
  EXPECT_EQ(endpoint.weight, 2);
  EXPECT_EQ(settings({"critic_command=python3 critic.py"}).critic.kind, CriticKind::kCommand);
  EXPECT_EQ(complaint({"critic_url=http://host"}), "critic: endpoint needs critic_model");
  EXPECT_EQ(complaint({"critic_url=host", "critic_model=m"}), "critic_url: \"host\" is not an address");
  EXPECT_EQ(complaint({"critic=rules", "critic_command=x"}), "critic_command is given, but critic is rules");
  EXPECT_EQ(complaint({"critic=command"}), "critic: command needs critic_command");
  EXPECT_EQ(complaint({"critic_weight=1"}), "critic_weight is given, but there is no critic");
  EXPECT_EQ(complaint({"critic=rules", "critic_weight=-1"}), "critic_weight: -1 is out of range");
}

TEST_F(ReinforceKeysTest, OtherStagesRefuseItsKeys) {
  ReinforceKeys keys;
  Settings settings;
  keys.declare(settings);
  EXPECT_NO_THROW(keys.refuse_given(settings));
  settings.assign_pair("num_generations=4");
  EXPECT_THROW(keys.refuse_given(settings), base::UsageError);
}

}  // namespace
}  // namespace cuset::cli
