#include "train/loss_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/json_cursor.h"
#include "train/records/checkpoint_folder.h"

namespace cuset::train {
namespace {

constexpr int64_t kTrustedAfter = 10;
constexpr double kNewest = 0.1;

}  // namespace

std::string loss_text(double loss) { return std::isnan(loss) ? "nan" : fmt::format("{:.3g}", loss); }

std::optional<std::string> LossGuard::observe(const StepMetrics& metrics) {
  if (!std::isfinite(metrics.loss)) return "the loss is " + loss_text(metrics.loss);
  if (!std::isfinite(metrics.gradient_norm)) {
    return "the gradient norm is " + loss_text(metrics.gradient_norm);
  }
  const double value = metrics.cross_entropy();
  if (max_jump_ > 0 && steps_ >= kTrustedAfter && value > mean_ + max_jump_) {
    return fmt::format("the cross-entropy jumped from {:.3g} to {:.3g} per token", mean_, value);
  }
  ++steps_;
  mean_ += std::max(kNewest, 1 / static_cast<double>(steps_)) * (value - mean_);
  return std::nullopt;
}

void LossGuard::restore(const base::Json& state, std::string_view name) {
  const base::JsonCursor saved = base::JsonCursor(state, name, "loss_guard").with_remedy(kUseOtherCheckpoint);
  steps_ = saved.at("steps").integer();
  mean_ = saved.at("mean").number();
}

}  // namespace cuset::train
