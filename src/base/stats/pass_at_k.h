// pass@k: the chance that at least one of k answers drawn from a model is correct.
//
// From n answers with c correct, the unbiased estimate (Chen et al. 2021, "Evaluating large language models
// trained on code") is 1 - C(n-c, k) / C(n, k): the share of k-subsets that hold a correct answer. It is
// summed here over the draw that meets the first correct answer,
//
//   sum over i >= 0 of  (n-c)/n * (n-c-1)/(n-1) * ... * (n-c-i+1)/(n-i+1) * c/(n-i),
//
// whose terms are all positive, so that small values keep their digits (1 - product would lose them).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/stats/intervals.h"

namespace cuset::base {

struct TaskTally {
  uint64_t samples = 0;
  uint64_t correct = 0;
};

// Throws Error unless correct <= samples and 1 <= k <= samples.
double pass_at_k(TaskTally tally, uint64_t k);

// The mean over tasks, with an interval from resampling tasks (not answers): how the score would vary over
// other tasks of the same kind. Throws Error if there is no task or one has fewer than k samples.
Estimate mean_pass_at_k(std::span<const TaskTally> tasks, uint64_t k, const RandomStream& stream,
                        const BootstrapOptions& options = {});

using TalliesByTask = std::map<std::string, TaskTally>;

// What one set of answers gains on another in pass@1.
struct PassGain {
  Estimate estimate;  // the interval by resampling tasks
  size_t tasks = 0;   // compared
};

// The mean over tasks of `after`'s share of correct answers less that of `before`. Tasks without a sample in
// either set are left out; nothing where none remains. One place for whoever shows it, so that the terminal
// and the report give the same interval.
std::optional<PassGain> pass_gain(const TalliesByTask& before, const TalliesByTask& after);

}  // namespace cuset::base
