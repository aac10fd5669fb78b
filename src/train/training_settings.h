// Everything that decides a training run. Free of LibTorch headers, so that the command line may include it;
// docs/train.md has the keys of configuration files that fill it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "data/dataset.h"
#include "model/lora_settings.h"
#include "model/placement.h"
#include "objective/settings.h"
#include "train/data_order.h"
#include "train/early_stop.h"
#include "train/optimizer_settings.h"
#include "train/schedule.h"

namespace cuset::train {

// What the summed loss of a step is divided by: supervised tokens, the sum of their weights W, or samples.
// Files know it as `normaliser`.
enum class LossDenominator { kTokens, kWeights, kSamples };

// "tokens", "weights", "samples".
std::string_view name_of(LossDenominator denominator);
// Throws UsageError naming the nearest one.
LossDenominator loss_denominator_named(std::string_view name);

// When something happens that is not done after every step.
struct EveryNSteps {
  enum class Kind { kNever, kSteps, kEpochs };
  Kind kind = Kind::kNever;
  int64_t steps = 0;  // for kSteps, at least 1

  // Whether it is due after `step` steps in epochs of `steps_per_epoch`.
  bool is_due(int64_t step, int64_t steps_per_epoch) const;
};

// The quantity whose best checkpoint is kept.
struct BestMetric {
  std::string name = "eval_loss";  // or eval_accuracy, eval_confidence
  bool load_at_end = false;        // the run's result is the best checkpoint, not the last step
};

struct ModelChoice {
  std::filesystem::path folder;
  bool from_scratch = false;  // random weights; the folder gives configuration and tokenizer
  bool full = false;          // every weight is trained, no adapter
  std::filesystem::path adapter =
      "";  // that training begins with, `lora` being its settings; empty: a new one
  model::LoraSettings lora;
  model::Placement placement;
  bool deterministic = false;  // the same bits in every run on a GPU, too
};

struct DataChoice {
  std::vector<data::DataSource> files;
  std::vector<data::DataSource> evaluation_files;
  double validation_size = 0;  // without such files: below 1 a share of the samples, else their number
  size_t max_rows = 0;         // of each file, the first ones; 0: all
  size_t max_tokens = 4096;
  data::OverLength over_length = data::OverLength::kDrop;
  bool signature_in_mask = false;
  data::Learn learn = data::Learn::kLastAnswer;
  bool skip_bad_rows = false;
  std::filesystem::path
      tokenized;  // folder to keep the tokenized files in, or empty (data/tokenized_folder.h)
};

struct StepSettings {
  objective::ObjectiveSettings objective;
  LossDenominator loss_denominator = LossDenominator::kTokens;
  double max_gradient_norm = 1;
  bool recompute = false;
};

struct RunFolderChoice {
  std::filesystem::path path;
  bool overwrite = false;             // a run that is there already
  bool resume = false;                // from the latest checkpoint there
  std::filesystem::path resume_from;  // or from this one, if not empty
  bool tensorboard = true;
  std::vector<std::string> trackers;  // records/tracker.h
  int64_t keep_checkpoints = 0;       // 0: all
};

struct TrainingSettings {
  ModelChoice model;
  DataChoice data;
  StepSettings step;
  DataOrderSettings order;  // its capacity, world and seed are filled in by the run
  OptimizerSettings optimizer;
  ScheduleSettings schedule;
  uint64_t seed = 42;
  EveryNSteps logging = {EveryNSteps::Kind::kSteps, 10};
  EveryNSteps saving = {EveryNSteps::Kind::kSteps, 500};
  EveryNSteps evaluating = {};
  EarlyStopSettings early_stop;
  BestMetric best;
  double max_loss_jump = 5;  // train/loss_guard.h; 0: off
  RunFolderChoice run;
};

// Those settings that a resumed run may not change, for state.json and for comparing ranks.
base::Json lasting_settings(const TrainingSettings& settings);

}  // namespace cuset::train
