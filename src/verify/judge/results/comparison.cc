#include "verify/judge/results/comparison.h"

#include "base/pass_gain.h"

namespace cuset {
namespace {

TalliesByTask tallies_of(std::span<const Verdict> verdicts) {
  TalliesByTask tallies;
  for (const Verdict& verdict : verdicts) {
    if (!is_verdict(verdict.word)) continue;
    TaskTally& tally = tallies[verdict.task];
    ++tally.samples;
    tally.correct += verdict.word == Word::kCorrect ? 1 : 0;
  }
  return tallies;
}

}  // namespace

std::optional<Estimate> function_gain(std::span<const Verdict> before, std::span<const Verdict> after) {
  const std::optional<PassGain> gain = pass_gain(tallies_of(before), tallies_of(after));
  return gain ? std::optional(gain->estimate) : std::nullopt;
}

bool is_within_noise(const Estimate& gain) { return gain.interval.low <= 0 && gain.interval.high >= 0; }

}  // namespace cuset
