// The loop of reinforcement learning. A step reads:
//
//   1. prompts, in the order of the run                                 (reinforce/rollout.h)
//   2. answers by the present adapter, and their verdicts               (reinforce/rollout_collector.h)
//   3. rewards, a critic's part among them                              (reinforce/reward.h, rollout_critic.h)
//      groups without spread are dropped, further prompts take their place, up to a limit
//   4. advantages, and one update or more of the adapter                (reinforce/turn_credit.h, train/policy_update.h)
//   5. record, save
//
// Everything that decides the next step is in a checkpoint, and answers and verdicts since the last checkpoint are in
// a file of their own: a resumed run ends with the bytes of one that was never interrupted, and neither samples nor
// judges anything twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "model/decoder.h"
#include "reinforce/reinforce_settings.h"
#include "reinforce/rollout_collector.h"
#include "reinforce/rollout_critic.h"
#include "train/optimizer.h"
#include "train/policy_update.h"
#include "train/records/metrics.h"
#include "train/records/training_checkpoint.h"
#include "train/schedule.h"
#include "train/trainer.h"

namespace cuset::reinforce {

// What a trainer works with; all of it is borrowed.
struct PolicyTrainerParts {
  model::Decoder& decoder;
  generate::ServedModel& sampler;
  judge::Judge& judge;
  const data::ExampleBuilder& builder;
  const std::vector<TaskPrompt>& prompts;
  std::string prompts_fingerprint;
  int64_t vocabulary = 0;  // of the tokenizer
  std::function<void(const std::filesystem::path& folder)> write_model;
};

class PolicyTrainer {
 public:
  PolicyTrainer(const PolicyTrainerParts& parts, const ReinforceSettings& settings);

  int64_t steps() const { return steps_; }
  int64_t steps_done() const { return done_; }

  // Continues from a checkpoint. Throws UsageError where settings or prompts are others than those of its run.
  void resume(const train::SavedTraining& saved);

  // Trains to the end, or until an interrupt (base/interrupt.h). Throws Error where the loss goes wrong, without the
  // update; the checkpoints stay.
  train::TrainingEnd run();

 private:
  struct Step;
  void open_run_folder();
  bool collect(Step& step, base::Progress& progress);
  bool give_rewards(std::span<Rollout> rollouts);
  void take_groups(Step& step, std::vector<Rollout> rollouts) const;
  std::vector<train::PolicyExample> examples_of(const Step& step) const;
  void update(Step& step);
  void record(const Step& step);
  void save();
  void refresh_sampler();

  PolicyTrainerParts parts_;
  ReinforceSettings settings_;
  int64_t steps_;
  train::Schedule schedule_;
  train::Optimizer optimizer_;
  std::optional<train::PolicyUpdate> update_;  // made once the sampler has its adapter
  PromptOrder order_;
  base::Json lasting_;
  int64_t adapter_;  // its number in the sampler
  int threads_;      // of the updates
  std::optional<train::MetricsResume> metrics_resume_;
  std::optional<train::MetricsLog> metrics_;
  std::optional<train::CheckpointFolder> folder_;
  std::optional<base::JsonlWriter> rollouts_;
  std::optional<UnsavedRollouts> unsaved_;
  std::optional<RolloutCollector> collector_;
  std::optional<RolloutCritic> critic_;  // where there is one
  int64_t done_ = 0;
  int64_t saved_ = -1;
  int64_t tokens_seen_ = 0;
};

}  // namespace cuset::reinforce
