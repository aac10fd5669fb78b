// The training loop. A step reads:
//
//   1. the data of the step                          (train/data_order.h)
//   2. its gradient and metrics, over all ranks      (train/training_step.h)
//   3. a look at the metrics: a bad step stops here  (train/loss_guard.h)
//   4. the update of the weights                     (train/optimizer.h)
//   5. record, evaluate, save
//
// Everything that decides the next step is in a checkpoint, so that a resumed run ends with the bytes of one
// that was never interrupted.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "train/data_order.h"
#include "train/early_stop.h"
#include "train/evaluation.h"
#include "train/loss_guard.h"
#include "train/optimizer.h"
#include "train/records/metrics.h"
#include "train/records/training_checkpoint.h"
#include "train/schedule.h"
#include "train/training_step.h"
#include "train/untrained_steps.h"

namespace cuset::train {

// What a trainer works with; all of it is borrowed.
struct TrainerParts {
  model::Decoder& decoder;
  const std::vector<data::Example>& examples;
  const std::vector<data::Example>& evaluation;  // empty: nothing is evaluated
  const Ranks& ranks;
  std::function<void(const std::filesystem::path& folder)> write_model;
  // The text of tokens, for showing the least certain window; may be empty.
  std::function<std::string(std::span<const uint32_t>)> decode;
};

enum class TrainingEnd { kDone, kStoppedEarly, kInterrupted };

class Trainer {
 public:
  // `settings.order` is complete: capacity, world and seed are those of the run.
  Trainer(const TrainerParts& parts, const TrainingSettings& settings);

  int64_t steps() const { return static_cast<int64_t>(order_.steps()); }  // of the run
  int64_t steps_done() const { return done_; }
  const DataOrder& order() const { return order_; }
  const std::vector<int64_t>& threads() const { return threads_; }  // of the CPU, by rank

  // Continues from a checkpoint. Throws UsageError where settings or data are others than those of its run.
  void resume(const SavedTraining& saved);

  // Trains to the end, or until stop_asked() is true on some rank: then the step is finished and a checkpoint
  // saved. Throws Error where the loss goes wrong, without the update; the checkpoints stay.
  TrainingEnd run(const std::function<bool()>& stop_asked = [] { return false; });

 private:
  void open_run_folder();
  StepMetrics take_step(bool stop_asked);
  [[noreturn]] void stop_at_bad_step(const StepData& data, const std::string& reason);
  void record(const StepMetrics& metrics);
  base::Json lowest_window(const StepMetrics& metrics) const;
  bool evaluate();  // true where the result is the best so far
  void save();
  TrainingCheckpoint checkpoint() const;
  TrainerState trainer_state() const;
  void finish();
  double progress_of_run() const;
  std::string last_checkpoint_text() const;

  TrainerParts parts_;
  TrainingSettings settings_;
  DataOrder order_;
  Schedule schedule_;
  Optimizer optimizer_;
  TrainingStep step_;
  Evaluation evaluation_;
  EarlyStop early_stop_;
  LossGuard guard_;
  UntrainedSteps untrained_;
  base::Json lasting_;  // settings that a resumed run may not change
  std::vector<int64_t> threads_;
  std::optional<MetricsResume> metrics_resume_;
  std::optional<CheckpointFolder> folder_;  // on the rank that writes
  std::optional<MetricsLog> metrics_;       // on the rank that writes
  StepData data_;                           // of the step done last
  int64_t done_ = 0;
  int64_t saved_ = -1;  // step of the last checkpoint
  int64_t tokens_seen_ = 0;
  int64_t tokens_recorded_ = 0;
  std::chrono::steady_clock::time_point recorded_at_;
};

// Eight hexadecimal digits that change with every token, mask or weight of the examples.
std::string checksum_of(const std::vector<data::Example>& examples);

}  // namespace cuset::train
