// Notices steps in which the objective gives every token the weight 0 (ProFit on a model that is confident of nothing,
// say), or in which the gradient is 0 all the same (a model whose weights have collapsed). Such a step changes nothing, and a run of such steps ends as "done" with the model it began with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "objective/settings.h"
#include "train/step_metrics.h"

namespace cuset::train {

class UntrainedSteps {
 public:
  explicit UntrainedSteps(const objective::ObjectiveSettings& objective) : objective_(objective) {}

  // What to warn of: the first such step, with a remedy. Nothing for others.
  std::optional<std::string> observe(const StepMetrics& metrics, int64_t step);
  // At the end of the run: how many of its steps were such, where there was one.
  std::optional<std::string> at_end() const;

 private:
  std::string remedy() const;

  objective::ObjectiveSettings objective_;
  int64_t steps_ = 0;
  int64_t untrained_ = 0;
  bool has_weights_ = false;  // tokens of the first such step had weights, and yet the gradient was 0
};

}  // namespace cuset::train
