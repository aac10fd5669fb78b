#include "base/stats/intervals.h"

#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/stats/repeatable_math.h"
#include "base/stats/statistics.h"

namespace cuset::base {
namespace {

void require_level(double level) {
  if (!(level > 0 && level < 1)) throw Error("interval: level {} is not between 0 and 1", level);
}

// The smaller root of Wilson's quadratic. Dividing the product of the roots by the larger one avoids the
// difference that would cancel where the rate is small.
double wilson_low(double rate, double z_square_over_n) {
  const double spread = std::sqrt(z_square_over_n * (rate * (1 - rate) + z_square_over_n / 4));
  return rate * rate / (rate + z_square_over_n / 2 + spread);
}

double resampled_mean(std::span<const double> values, RandomStream& draws) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[draws.below(values.size())];
  return sum / static_cast<double>(values.size());
}

}  // namespace

Interval wilson_interval(uint64_t successes, uint64_t trials, double level) {
  require_level(level);
  if (trials == 0 || successes > trials)
    throw Error("interval: {} successes of {} trials", successes, trials);
  const double z = normal_upper_quantile((1 - level) / 2);
  const double n = static_cast<double>(trials);
  const double share = z * z / n;
  return {.low = wilson_low(static_cast<double>(successes) / n, share),
          .high = 1 - wilson_low(static_cast<double>(trials - successes) / n, share)};
}

Estimate bootstrap_mean(std::span<const double> values, const RandomStream& stream,
                        const BootstrapOptions& options) {
  require_level(options.level);
  if (options.resamples == 0) throw Error("bootstrap: resamples is 0");
  const double value = mean(values);
  RandomStream draws = stream.child("bootstrap");
  std::vector<double> means(options.resamples);
  for (double& resampled : means) resampled = resampled_mean(values, draws);
  const double cut = (1 - options.level) / 2;
  const std::vector<double> ends = quantiles(means, std::array{cut, 1 - cut});
  return {.value = value, .interval = {.low = ends[0], .high = ends[1]}};
}

Estimate bootstrap_paired_difference(std::span<const double> before, std::span<const double> after,
                                     const RandomStream& stream, const BootstrapOptions& options) {
  if (before.size() != after.size()) {
    throw Error("paired difference: {} values before, {} after", before.size(), after.size());
  }
  std::vector<double> differences(before.size());
  for (size_t i = 0; i < before.size(); ++i) differences[i] = after[i] - before[i];
  return bootstrap_mean(differences, stream, options);
}

}  // namespace cuset::base
