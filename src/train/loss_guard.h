// Notices a run that goes wrong: a loss or gradient that is not finite, or a mean cross-entropy per token
// more than `max_jump` nats above its running mean. Nats because they mean the same for every objective, data
// set and stage of a run: 5 nats are a perplexity 148 times as large. The mean is exponential with weight 0.1
// for the newest step, and is trusted after ten steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "train/step_metrics.h"

namespace cuset::train {

// "1.23", "inf", or "nan" whatever its sign.
std::string loss_text(double loss);

class LossGuard {
 public:
  // A max_jump of 0 lets any finite loss pass.
  explicit LossGuard(double max_jump) : max_jump_(max_jump) {}

  // What is wrong with a step, as "the loss is nan"; nothing where all is well, and the step counts for the
  // mean.
  std::optional<std::string> observe(const StepMetrics& metrics);

  // For state.json, and back. `name` (a file) opens the message of the Error thrown for malformed input.
  base::Json state() const { return {{"steps", steps_}, {"mean", mean_}}; }
  void restore(const base::Json& state, std::string_view name);

 private:
  double max_jump_;
  int64_t steps_ = 0;
  double mean_ = 0;
};

}  // namespace cuset::train
