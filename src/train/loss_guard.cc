#include "train/loss_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "train/state_field.h"

namespace cuset {
namespace {

constexpr int64_t kTrustedAfter = 10;
constexpr double kNewest = 0.1;

}  // namespace

std::optional<std::string> LossGuard::observe(const StepFigures& figures) {
  if (!std::isfinite(figures.loss)) return fmt::format("the loss is {}", figures.loss);
  if (!std::isfinite(figures.gradient_norm)) {
    return fmt::format("the gradient norm is {}", figures.gradient_norm);
  }
  const double value = figures.cross_entropy();
  if (max_jump_ > 0 && steps_ >= kTrustedAfter && value > mean_ + max_jump_) {
    return fmt::format("the cross-entropy jumped from {:.3g} to {:.3g} per token", mean_, value);
  }
  ++steps_;
  mean_ += std::max(kNewest, 1 / static_cast<double>(steps_)) * (value - mean_);
  return std::nullopt;
}

void LossGuard::restore(const Json& state, std::string_view name) {
  steps_ = integer_field(state, "steps", name);
  mean_ = number_field(state, "mean", name);
}

}  // namespace cuset
