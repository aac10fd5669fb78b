// What `cuset evaluate` prints where it judged several sets of answers: one row for each, and what they gain
// on each other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/results/summary.h"

namespace cuset::cli {

struct EvaluatedSet {
  std::string name;
  judge::Summary summary;
  std::vector<judge::Verdict> verdicts;
};

// Several lines: answers; compile and function pass@1, and pass@3 where there are so many samples, with
// intervals; tokens.
std::string render_evaluation(std::span<const EvaluatedSet> sets);

// What each set gains on the first, and on the second where that is another one: function pass@1, paired by
// task.
//   "sft against base: +41.2 points (30.1 to 52.0)"
//   "cuset against sft: -1.7 points (-6.0 to 2.4), within the noise"
std::vector<std::string> describe_gains(std::span<const EvaluatedSet> sets);

}  // namespace cuset::cli
