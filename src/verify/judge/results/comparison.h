// Two sets of answers to the same tasks, compared task by task.
#pragma once

#include <optional>
#include <span>

#include "base/intervals.h"
#include "verify/judge/verdict.h"

namespace cuset {

// The mean over tasks of `after`'s share of correct answers less that of `before`: the gain in function
// pass@1, with a 95 % interval by resampling tasks. Tasks without a verdict in either set are left out;
// nothing where none remains.
std::optional<Estimate> function_gain(std::span<const Verdict> before, std::span<const Verdict> after);

// Whether the interval holds zero: which of both is better cannot be said.
bool is_within_noise(const Estimate& gain);

}  // namespace cuset
