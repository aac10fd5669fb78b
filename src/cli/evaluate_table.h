// What `cuset evaluate` prints where it judged several sets of answers: one row for each.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "verify/results/summary.h"

namespace cuset {

struct EvaluatedSet {
  std::string name;
  Summary summary;
};

// Several lines: answers, compile and function pass@1 with intervals, pass@3 where there are so many samples,
// tokens.
std::string render_evaluation(std::span<const EvaluatedSet> sets);

}  // namespace cuset
