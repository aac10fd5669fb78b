// Intervals that say how far a measured mean or rate can be trusted.
//
// Wilson (1927) for a rate; percentile bootstrap (Efron 1979) for the mean of any sample: draw as many values
// with replacement as the sample has, take their mean, repeat, and cut the same share from both ends of the
// means. The draws come from a child of the caller's stream, so equal arguments give equal bits, and the
// stream itself is not advanced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/stats/random.h"

namespace cuset::base {

struct Interval {
  double low = 0;
  double high = 0;
};

struct Estimate {
  double value = 0;
  Interval interval;
};

struct BootstrapOptions {
  size_t resamples = 10'000;
  double level = 0.95;
};

// Rate `successes / trials`. Throws Error if trials is 0, successes > trials, or level is not inside (0, 1).
Interval wilson_interval(uint64_t successes, uint64_t trials, double level = 0.95);

// The mean of `values` with its bootstrap interval. Time is proportional to values times resamples.
// Throws Error for an empty sample, a value that is not finite, no resamples, or a level outside (0, 1).
Estimate bootstrap_mean(std::span<const double> values, const RandomStream& stream,
                        const BootstrapOptions& options = {});

// The mean of after[i] - before[i]; pairs are drawn together. Throws Error also if the lengths differ.
Estimate bootstrap_paired_difference(std::span<const double> before, std::span<const double> after,
                                     const RandomStream& stream, const BootstrapOptions& options = {});

}  // namespace cuset::base
