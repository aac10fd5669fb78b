#include "train/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::train {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"linear", "cosine", "constant", "constant_with_warmup",
                                                    "cosine_with_min_lr"};

void check(const ScheduleSettings& settings) {
  if (!(settings.learning_rate >= 0) || !std::isfinite(settings.learning_rate)) {
    throw base::UsageError("learning_rate is {}, but must be 0 or more", settings.learning_rate);
  }
  if (settings.warmup_steps < 0) {
    throw base::UsageError("warmup_steps is {}, but must be 0 or more", settings.warmup_steps);
  }
  if (!(settings.warmup_ratio >= 0 && settings.warmup_ratio <= 1)) {
    throw base::UsageError("warmup_ratio is {}, but must lie between 0 and 1", settings.warmup_ratio);
  }
  if (!(settings.min_lr >= 0 && settings.min_rate() >= 0 && settings.min_rate() <= 1)) {
    throw base::UsageError("min_lr is {} of the learning rate, but must lie between 0 and 1",
                           settings.min_rate());
  }
  const bool has_minimum = settings.min_lr > 0 || settings.min_lr_rate > 0;
  if (settings.kind == ScheduleKind::kCosineWithMinLr && !has_minimum) {
    throw base::UsageError("lr_scheduler_type: cosine_with_min_lr needs min_lr or min_lr_rate");
  }
}

int64_t warmup_of(const ScheduleSettings& settings, int64_t steps) {
  if (settings.warmup_steps > 0) return settings.warmup_steps;
  return static_cast<int64_t>(std::ceil(static_cast<double>(steps) * settings.warmup_ratio));
}

}  // namespace

std::string_view name_of(ScheduleKind kind) { return kNames[static_cast<size_t>(kind)]; }

ScheduleKind schedule_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found != kNames.end()) return static_cast<ScheduleKind>(found - kNames.begin());
  throw base::UsageError("unknown schedule {}{}", base::in_quotes(name), base::did_you_mean(name, kNames))
      .with_remedy("one of linear, cosine, constant, constant_with_warmup, cosine_with_min_lr");
}

Schedule::Schedule(const ScheduleSettings& settings, int64_t steps)
    : settings_(settings), steps_(steps), warmup_steps_(warmup_of(settings, steps)) {
  check(settings);
}

double Schedule::learning_rate(int64_t steps_done) const {
  return settings_.learning_rate * factor(steps_done);
}

double Schedule::factor(int64_t steps_done) const {
  if (settings_.kind == ScheduleKind::kConstant) return 1;
  const auto done = static_cast<double>(steps_done);
  const auto warmup = static_cast<double>(warmup_steps_);
  if (steps_done < warmup_steps_) return done / std::max(1.0, warmup);
  if (settings_.kind == ScheduleKind::kConstantWithWarmup) return 1;
  const auto steps = static_cast<double>(steps_);
  const double falling = std::max(1.0, steps - warmup);
  if (settings_.kind == ScheduleKind::kLinear) return std::max(0.0, (steps - done) / falling);
  // Python's order of operations, so that the values agree to the last bit.
  const double cosine = 0.5 * (1.0 + std::cos(std::numbers::pi * 0.5 * 2.0 * ((done - warmup) / falling)));
  if (settings_.kind == ScheduleKind::kCosine) return std::max(0.0, cosine);
  const double least = settings_.min_rate();
  return std::max(0.0, cosine * (1 - least) + least);
}

}  // namespace cuset::train
