#include "train/untrained_steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuset::train {

std::optional<std::string> UntrainedSteps::observe(const StepMetrics& metrics, int64_t step) {
  ++steps_;
  if (metrics.masked_in_sum > 0 && metrics.gradient_norm != 0) return std::nullopt;
  if (++untrained_ > 1) return std::nullopt;
  has_weights_ = metrics.masked_in_sum > 0;
  if (has_weights_)
    return fmt::format("step {}: the gradient is 0, so nothing is learned ({})", step, remedy());
  const double tokens = static_cast<double>(std::max<int64_t>(1, metrics.supervised));
  return fmt::format("step {}: {} trains none of its {} tokens, whose mean confidence is {:.3g} ({})", step,
                     objective::name_of(objective_.method), metrics.supervised,
                     metrics.confidence_sum / tokens, remedy());
}

std::optional<std::string> UntrainedSteps::at_end() const {
  if (untrained_ == 0) return std::nullopt;
  if (untrained_ == steps_)
    return fmt::format("nothing was learned in any step: the result is what the run began with ({})",
                       remedy());
  return fmt::format("nothing was learned in {} of {} steps ({})", untrained_, steps_, remedy());
}

std::string UntrainedSteps::remedy() const {
  using objective::Method;
  if (has_weights_) return "the model's weights may be damaged: `cuset chat` shows what it writes";
  const Method method = objective_.method;
  if (method == Method::kProFit || method == Method::kCuset || method == Method::kCusetPlus)
    return fmt::format("tau is {:g}: lower it, let it rise with tau_ramp, or begin with objective: sft",
                       objective_.tau);
  return "look at the rows' weight with cuset inspect, or use objective: sft";
}

}  // namespace cuset::train
