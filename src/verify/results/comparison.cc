#include "verify/results/comparison.h"

#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace cuset {
namespace {

// Task -> share of its answers that are correct.
std::map<std::string, double> correct_shares(std::span<const Verdict> verdicts) {
  struct Tally {
    double correct = 0;
    double judged = 0;
  };
  std::map<std::string, Tally> tallies;
  for (const Verdict& verdict : verdicts) {
    if (!is_verdict(verdict.word)) continue;
    Tally& tally = tallies[verdict.task];
    tally.judged += 1;
    tally.correct += verdict.word == Word::kCorrect ? 1 : 0;
  }
  std::map<std::string, double> shares;
  for (const auto& [task, tally] : tallies) shares[task] = tally.correct / tally.judged;
  return shares;
}

}  // namespace

std::optional<Estimate> function_gain(std::span<const Verdict> before, std::span<const Verdict> after) {
  const std::map<std::string, double> shares_before = correct_shares(before);
  std::vector<double> left;
  std::vector<double> right;
  for (const auto& [task, share] : correct_shares(after)) {
    const auto found = shares_before.find(task);
    if (found == shares_before.end()) continue;
    left.push_back(found->second);
    right.push_back(share);
  }
  if (left.empty()) return std::nullopt;
  return bootstrap_paired_difference(left, right, RandomStream(0, "comparison of verdicts"));
}

bool is_within_noise(const Estimate& gain) { return gain.interval.low <= 0 && gain.interval.high >= 0; }

}  // namespace cuset
