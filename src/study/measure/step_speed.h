// How fast a model trains on this machine: whole optimizer steps (forward, objective, backward, clipping,
// AdamW) on random weights and tokens. Speed does not depend on their values, so no model has to be
// downloaded for it. Free of LibTorch headers, so that commands may include it.
#pragma once

#include <cstdint>
#include <memory>

#include "base/json/json.h"
#include "model/placement.h"
#include "objective/settings.h"

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

// Steps of any objective over the same weights and tokens.
class StepSpeedBench {
 public:
  // Throws Error for a configuration that is not supported, and what Placement::resolve throws.
  explicit StepSpeedBench(const StepSpeedOptions& options);
  StepSpeedBench(const StepSpeedBench&) = delete;
  StepSpeedBench& operator=(const StepSpeedBench&) = delete;
  ~StepSpeedBench();

  StepSpeed measure(const objective::ObjectiveSettings& objective);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::study
