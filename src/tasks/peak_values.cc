#include "tasks/peak_values.h"

#include <algorithm>
#include <cmath>

namespace cuset::tasks {
namespace {

using Kind = Domain::Kind;

constexpr double kNormalReach = 4;  // deviations

NumberRange reach_of(const Domain& domain, NumberType type) {
  if (domain.kind == Kind::kProbability) return {0, 1};
  if (domain.kind != Kind::kNormal) return numbers_within(type, domain.low, domain.high);
  const NumberRange finite = finite_numbers(type);
  return {std::max(finite.least, domain.mean - kNormalReach * domain.deviation),
          std::min(finite.most, domain.mean + kNormalReach * domain.deviation)};
}

}  // namespace

bool has_peaks(const TaskInput& input) {
  const Kind kind = input.domain.kind;
  const bool independent = kind == Kind::kNormal || kind == Kind::kUniform || kind == Kind::kPositive ||
                           kind == Kind::kProbability;
  return independent && is_floating(input.type) && count_of(input.shape) >= kLeastWithPeaks;
}

PeakValues::PeakValues(const Domain& domain, NumberType type, Peaks::Level level)
    : support_(reach_of(domain, type)) {
  middle_ = domain.kind == Kind::kPositive ? std::sqrt(support_.least * support_.most)
                                           : support_.least / 2 + support_.most / 2;
  level_ = level == Peaks::Level::kMiddle ? middle_ : std::clamp(0.0, support_.least, support_.most);
}

// In the outer quarter of the domain that is farther from the level.
double PeakValues::peak(base::RandomStream& stream) const {
  const double share = 0.5 + 0.5 * stream.uniform();
  const bool up = stream.uniform() < 0.5;
  const bool high = level_ == middle_ ? up : level_ < middle_;
  return std::clamp(middle_ + share * ((high ? support_.most : support_.least) - middle_), support_.least,
                    support_.most);
}

}  // namespace cuset::tasks
