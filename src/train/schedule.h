// The learning rate over the steps of a run, as Hugging Face's get_scheduler defines it. With s updates done
// before, w warm-up steps and n steps in all, the factor on the learning rate is
//
//   s < w                   s / max(1, w)                                (all but constant)
//   linear                  max(0, (n - s) / max(1, n - w))
//   cosine                  max(0, (1 + cos(pi (s - w) / max(1, n - w))) / 2)
//   cosine_with_min_lr      m + (1 - m) cosine, with m = min_lr / learning_rate or min_lr_rate
//   constant                1, without warm-up
//   constant_with_warmup    1
// So the first update of a run with warm-up has the learning rate 0, as there.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuset::train {

enum class ScheduleKind { kLinear, kCosine, kConstant, kConstantWithWarmup, kCosineWithMinLr };

// "linear", "cosine", "constant", "constant_with_warmup", "cosine_with_min_lr".
std::string_view name_of(ScheduleKind kind);
// Throws UsageError naming the nearest schedule.
ScheduleKind schedule_named(std::string_view name);

struct ScheduleSettings {
  ScheduleKind kind = ScheduleKind::kCosine;
  double learning_rate = 1e-4;
  int64_t warmup_steps = 0;  // where above 0, it counts instead of the ratio
  double warmup_ratio = 0;   // of the run's steps
  double min_lr = 0;         // of cosine_with_min_lr; where above 0, it counts instead of the rate
  double min_lr_rate = 0;    // the same as a share of the learning rate

  double min_rate() const { return min_lr > 0 && learning_rate > 0 ? min_lr / learning_rate : min_lr_rate; }
};

class Schedule {
 public:
  // Throws UsageError for a negative learning rate or warm-up, or a ratio over 1.
  Schedule(const ScheduleSettings& settings, int64_t steps);

  // Of the update that follows `steps_done` updates.
  double learning_rate(int64_t steps_done) const;

  int64_t warmup_steps() const { return warmup_steps_; }

 private:
  double factor(int64_t steps_done) const;

  ScheduleSettings settings_;
  int64_t steps_;
  int64_t warmup_steps_;
};

}  // namespace cuset::train
