// What a run measures, in the places people look for it:
//
//   metrics.jsonl   one object per record: {"step": 10, "epoch": 0.1, "loss": 1.2, ...}
//   TensorBoard     event files in runs/, with Hugging Face's names: loss -> train/loss, eval_loss -> eval/loss
//   wandb, mlflow   the same names, where asked for (tracker.h)
//   log_history     the same numbers for trainer_state.json
//   the terminal    one line
//
// docs/checkpoints.md lists the names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/json/jsonl.h"
#include "train/records/tensorboard.h"
#include "train/records/tracker.h"

namespace cuset::train {

// Where a run is continued.
struct MetricsResume {
  int64_t step = 0;    // done by the checkpoint
  base::Json history;  // its log_history
};

struct MetricsOptions {
  int64_t steps = 0;  // of the run, for the terminal
  bool tensorboard = true;
  std::vector<std::string> trackers = {};  // wandb, mlflow
  std::vector<std::string> shown = {};     // on the terminal; empty: everything
  std::optional<MetricsResume> resume = std::nullopt;
};

class MetricsLog {
 public:
  // Opens the files in `run_folder`. On resume, rows of metrics.jsonl behind the resumed step are removed
  // first, in one atomic replacement; TensorBoard's readers are told to forget theirs. Throws Error, also
  // where another process is writing there.
  MetricsLog(const std::filesystem::path& run_folder, const MetricsOptions& options);

  // Records `values`, an object of numbers and, for metrics.jsonl alone, texts, lists or objects. `step`
  // counts the steps done. Keys of an evaluation begin with "eval_".
  void record(int64_t step, double epoch, const base::Json& values);

  // Returns once everything recorded is on disk: before a checkpoint that relies on it.
  void flush();

  // Every record so far, those of earlier parts of a resumed run too, as trainer_state.json holds them.
  const base::Json& history() const { return history_; }

 private:
  int64_t steps_;
  std::vector<std::string> shown_;
  base::JsonlWriter rows_;
  std::optional<TensorBoardWriter> tensorboard_;
  std::vector<std::unique_ptr<Tracker>> trackers_;
  base::Json history_;
};

// Removes the rows of a JSONL file whose "step" is behind `step`, in one atomic replacement, with a line in the log.
// Nobody may be writing there.
void remove_rows_behind(const std::filesystem::path& path, int64_t step);

// "eval_loss" -> "eval/loss", "test_loss" -> "test/loss", "loss" -> "train/loss".
std::string tensorboard_tag(std::string_view name);

// "step 10/300  epoch 0.10  loss 1.2345  grad_norm 0.51  learning_rate 9.8e-05  tokens_per_second 12.3 k";
// texts and nested values are left out.
std::string terminal_line(int64_t step, int64_t steps, double epoch, const base::Json& values);

}  // namespace cuset::train
