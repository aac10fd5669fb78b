// How wide a tolerance may be on one trial: never so wide that an answer which does no work would pass.
//
// A task's tolerance is meant for the values its author had in mind. Three things are done to it here:
//   - where a variation makes the outputs larger than those of the plain trial, the absolute part grows with
//     their largest element, for rounding errors do;
//   - an output of few numbers, a mean or a loss, hides a wrong element among thousands: there the absolute part is at
//     most 2e-4 of the largest on any trial, ten times what float32 sums in another order differ by. On inputs with a
//     peak (peak_trials.h), where one term counts, it is a part of this trial's;
//   - while zeros, the best constant, a copy of an input, the outputs of another trial, or the expected values rounded
//     to the digits of half precision would pass, both parts are halved. What equals the expected output (a copy is the
//     right answer to a copying task) is not such a control. Below 1e-5 of the largest element, where float32 results
//     of different order differ honestly, no tolerance is narrowed further.
#pragma once

#include <optional>
#include <vector>

#include "tasks/array.h"
#include "tasks/task.h"

namespace cuset::judge {

struct ToleranceContext {
  const std::vector<tasks::TaskInput>* names = nullptr;  // of the inputs
  const std::vector<tasks::Array>* inputs = nullptr;     // of this trial
  // largest_finite of this output on all trials, on this one, on the plain one.
  double largest = 0;
  double largest_here = 0;
  double largest_plain = 0;
  const tasks::Array* plain = nullptr;  // the same output on the plain trial; null on that trial itself
  std::optional<double> share_of_peak = std::nullopt;  // on inputs with a peak
};

// Whether an output has so few numbers that it may be nearly half precision by chance.
bool has_few_elements(const tasks::Array& output);

// The largest finite absolute value; 0 where there is none.
double largest_finite(const tasks::Array& array);

tasks::Tolerance fit_tolerance(const tasks::Tolerance& declared, const tasks::TaskOutput& output,
                               const tasks::Array& wanted, const ToleranceContext& context);

}  // namespace cuset::judge
