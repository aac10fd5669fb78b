// How fast a model trains on this machine, beside transformers with PEFT on the same model and batch, in one
// run. Whole optimizer steps are measured (forward, objective, backward, clipping, AdamW) on random weights and
// tokens: speed does not depend on their values, so no model has to be downloaded. Free of LibTorch headers,
// so that commands may include it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/placement.h"

namespace cuset::study {

struct StepSpeedOptions {
  base::Json config;  // as in config.json
  int64_t lora_rank = 8;
  double lora_dropout = 0.05;
  bool all_weights = false;  // train every weight instead of an adapter
  int64_t samples = 1;
  int64_t tokens = 4096;  // of a sample
  bool recompute = false;
  model::Placement placement = {.device = "cpu"};
  bool deterministic = false;  // ops/device/determinism.h
  int warm_up = 3;
  int steps = 10;
};

struct StepSpeed {
  double median_seconds = 0;  // of a step
  double fastest_seconds = 0;
  uint64_t peak_bytes = 0;  // of GPU memory; 0 on the CPU
  double loss = 0;          // of the last step, per token
  double gradient_norm = 0;
  double tokens_per_second = 0;
};

struct TrainBenchOptions {
  StepSpeedOptions step;
  std::string name;                     // of the model, for the table
  std::vector<std::string> objectives;  // measured one after another
  std::string python;                   // with transformers and PEFT; empty: no comparison
  bool compiled = false;                // the comparison also runs through torch.compile
};

struct TrainBenchRow {
  std::string who;  // "cuset, SFT", "transformers + PEFT, CuSeT"
  StepSpeed speed;
};

struct TrainBenchResult {
  std::vector<TrainBenchRow> rows;
  std::string missing;  // why there is no comparison; empty where there is
};

// A model's config.json by its short name ("qwen2.5-7b"). Throws UsageError naming the nearest.
base::Json shape_named(const std::string& name);
std::vector<std::string> shape_names();

TrainBenchResult measure_training(const TrainBenchOptions& options);

std::string render_training(const TrainBenchOptions& options, const TrainBenchResult& result);
base::Json to_json(const TrainBenchOptions& options, const TrainBenchResult& result);

}  // namespace cuset::study
