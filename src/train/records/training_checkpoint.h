// What a checkpoint of a training run holds, and how a run resumes from one:
//
//   the adapter or the model   for users: written by the caller
//   optimizer.safetensors      master weights, averages, step (train/optimizer.h)
//   trainer_state.json         as Hugging Face's (train/records/trainer_state.h)
//   state.json                 RunState, ours: whatever else decides the next step
//   checkpoint.json            the manifest (train/records/checkpoint_folder.h)
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/stats/random.h"
#include "model/files/safetensors.h"
#include "train/records/checkpoint_folder.h"
#include "train/records/trainer_state.h"

namespace cuset::train {

struct RunState {
  int64_t step = 0;  // optimizer steps done; with it the place in the data (train/data_order.h)
  std::string data_fingerprint = "";  // DataOrder::fingerprint()
  std::map<std::string, base::RandomStream::State> random_streams = {};
  base::Json early_stop = base::Json::object();  // EarlyStop::state()
  base::Json settings = base::Json::object();    // those that a resumed run may not change
  base::Json loss_guard = base::Json::object();  // LossGuard::state(); empty: none
  int64_t tokens_seen = 0;                       // that went through the model
  std::vector<int64_t> threads = {};  // of the CPU, by rank; empty: written before they were recorded
};

base::Json to_json(const RunState& state);
// `name` (a file) opens the message of the Error thrown for malformed input.
RunState run_state_from(const base::Json& json, std::string_view name);

struct TrainingCheckpoint {
  std::function<void(const std::filesystem::path& folder)> write_model;
  std::vector<model::NamedTensor> optimizer;  // Optimizer::state()
  TrainerState trainer;
  RunState run;
};

// Writes checkpoint-<run.step>; returns its path.
std::filesystem::path save_training_checkpoint(CheckpointFolder& folder,
                                               const TrainingCheckpoint& checkpoint);

struct SavedTraining {
  std::filesystem::path path;
  RunState run;
  base::Json log_history;  // for MetricsResume

  std::filesystem::path optimizer_file() const { return path / "optimizer.safetensors"; }
};

// Verifies every file of a checkpoint and reads its states. Throws Error naming what is damaged.
SavedTraining open_training_checkpoint(const std::filesystem::path& checkpoint);

// The setting that stands for all samples.
inline constexpr const char* kDataChecksum = "data checksum";

// Throws UsageError naming the first setting of `saved` that `current` has otherwise, with both values.
void check_same_settings(const SavedTraining& saved, const base::Json& current);

}  // namespace cuset::train
