// What one set of answers gains on another in pass@1, task by task. One place for whoever shows it, so that
// the terminal and the report give the same interval.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/stats/pass_at_k.h"

namespace cuset::base {

using TalliesByTask = std::map<std::string, TaskTally>;

struct PassGain {
  Estimate estimate;  // the interval by resampling tasks
  size_t tasks = 0;   // compared
};

// The mean over tasks of `after`'s share of correct answers less that of `before`. Tasks without a sample in
// either set are left out; nothing where none remains.
std::optional<PassGain> pass_gain(const TalliesByTask& before, const TalliesByTask& after);

}  // namespace cuset::base
