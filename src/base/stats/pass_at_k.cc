#include "base/stats/pass_at_k.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/stats/random.h"

namespace cuset::base {
namespace {

double share_of(const TaskTally& tally) {
  return static_cast<double>(tally.correct) / static_cast<double>(tally.samples);
}

}  // namespace

double pass_at_k(TaskTally tally, uint64_t k) {
  const auto [n, c] = tally;
  if (c > n) throw Error("pass@{}: {} correct of {} samples", k, c, n);
  if (k == 0 || k > n) {
    throw Error("pass@{}: a task has {} samples", k, n)
        .with_remedy("k must be from 1 to the samples of each task");
  }
  if (n - c < k) return 1;
  // The formula is the same with k and c exchanged; the smaller one is the number of terms.
  const uint64_t terms = std::min(k, c);
  const auto others = static_cast<double>(std::max(k, c));
  double passed = 0;
  double failed_so_far = 1;
  for (uint64_t i = 0; i < terms && failed_so_far > 0x1p-60; ++i) {
    const auto left = static_cast<double>(n - i);
    passed += failed_so_far * (others / left);
    failed_so_far *= (left - others) / left;
  }
  return std::min(passed, 1.0);
}

Estimate mean_pass_at_k(std::span<const TaskTally> tasks, uint64_t k, const RandomStream& stream,
                        const BootstrapOptions& options) {
  if (tasks.empty()) throw Error("pass@{}: there is no task", k);
  std::vector<double> scores(tasks.size());
  std::transform(tasks.begin(), tasks.end(), scores.begin(),
                 [k](TaskTally tally) { return pass_at_k(tally, k); });
  return bootstrap_mean(scores, stream, options);
}

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
