#include "base/stats/pass_gain.h"

#include <vector>

#include "base/stats/random.h"

namespace cuset::base {
namespace {

double share_of(const TaskTally& tally) {
  return static_cast<double>(tally.correct) / static_cast<double>(tally.samples);
}

}  // namespace

std::optional<PassGain> pass_gain(const TalliesByTask& before, const TalliesByTask& after) {
  std::vector<double> left;
  std::vector<double> right;
  for (const auto& [task, tally] : after) {
    const auto found = before.find(task);
    if (found == before.end() || found->second.samples == 0 || tally.samples == 0) continue;
    left.push_back(share_of(found->second));
    right.push_back(share_of(tally));
  }
  if (left.empty()) return std::nullopt;
  return PassGain{bootstrap_paired_difference(left, right, RandomStream(0, "comparison of verdicts")),
                  left.size()};
}

}  // namespace cuset::base
