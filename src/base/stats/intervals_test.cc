#include "base/stats/intervals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::base {
namespace {

const Json& reference() {
  static const Json value = read_json_file("testdata/statistics/intervals.json");
  return value;
}

TEST(WilsonInterval, MatchesMpmathAndScipy) {
  for (const auto& row : reference()["wilson"]) {
    const Interval interval = wilson_interval(row["successes"], row["trials"], row["level"]);
    const double low = row["low"];
    EXPECT_NEAR(interval.low, low, 1e-13 * low) << row;
    EXPECT_NEAR(interval.high, row["high"], 1e-15) << row;
  }
}

TEST(WilsonInterval, ImpossibleCountsAreErrors) {
  EXPECT_THROW(wilson_interval(0, 0), Error);
  EXPECT_THROW(wilson_interval(3, 2), Error);
  EXPECT_THROW(wilson_interval(1, 2, 0), Error);
  EXPECT_THROW(wilson_interval(1, 2, 1), Error);
  EXPECT_THROW(wilson_interval(1, 2, std::nan("")), Error);
}

TEST(Bootstrap, MatchesNumpyOverTheSameDraws) {
  for (const auto& row : reference()["bootstrap"]) {
    const RandomStream stream(row["seed"].get<uint64_t>(), row["name"].get<std::string>());
    const auto values = row["values"].get<std::vector<double>>();
    const Estimate estimate =
        bootstrap_mean(values, stream, {.resamples = row["resamples"], .level = row["level"]});
    EXPECT_NEAR(estimate.value, row["mean"], 1e-15);
    EXPECT_NEAR(estimate.interval.low, row["low"], 1e-14) << row["name"];
    EXPECT_NEAR(estimate.interval.high, row["high"], 1e-14) << row["name"];
  }
}

TEST(Bootstrap, AgreesWithScipyWithinResamplingNoise) {
  for (const auto& row : reference()["bootstrap"]) {
    if (!row.contains("scipy_low")) continue;
    const auto values = row["values"].get<std::vector<double>>();
    const Estimate estimate = bootstrap_mean(values, RandomStream(3, "other"), {.resamples = 20'000});
    const double low = row["scipy_low"];
    const double high = row["scipy_high"];
    EXPECT_NEAR(estimate.interval.low, low, 0.05 * (high - low)) << row["name"];
    EXPECT_NEAR(estimate.interval.high, high, 0.05 * (high - low)) << row["name"];
  }
}

TEST(Bootstrap, LeavesTheStreamAloneAndRepeats) {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  RandomStream stream(4, "bootstrap");
  const Estimate one = bootstrap_mean(values, stream);
  stream.next_u32();
  const Estimate other = bootstrap_mean(values, stream);
  EXPECT_EQ(stream.position(), 1u);
  EXPECT_EQ(one.interval.low, other.interval.low);
  EXPECT_EQ(one.interval.high, other.interval.high);
}

TEST(Bootstrap, PairedDifferenceKeepsPairsTogether) {
  // The pairs differ by exactly 1 however much they vary between each other.
  const std::vector<double> before = {0, 100, -50, 7};
  const std::vector<double> after = {1, 101, -49, 8};
  const Estimate estimate = bootstrap_paired_difference(before, after, RandomStream(5, "pairs"));
  EXPECT_EQ(estimate.value, 1);
  EXPECT_EQ(estimate.interval.low, 1);
  EXPECT_EQ(estimate.interval.high, 1);
}

TEST(Bootstrap, NinetyFivePercentIntervalsCoverTheTruth) {
  RandomStream stream(6, "coverage");
  int covered = 0;
  constexpr int kSamples = 400;
  for (int i = 0; i < kSamples; ++i) {
    std::vector<double> values(60);
    for (double& x : values) x = 2 + stream.normal();
    const Interval interval = bootstrap_mean(values, stream.child(i), {.resamples = 500}).interval;
    covered += interval.low <= 2 && 2 <= interval.high;
  }
  // The percentile bootstrap of 60 values covers about 94 %; five standard deviations around it.
  EXPECT_NEAR(covered, 0.94 * kSamples, 5 * std::sqrt(0.94 * 0.06 * kSamples));
}

TEST(Bootstrap, BadArgumentsAreErrors) {
  const std::vector<double> two = {1, 2};
  const std::vector<double> three = {1, 2, 3};
  const RandomStream stream(7, "errors");
  EXPECT_THROW(bootstrap_mean({}, stream), Error);
  EXPECT_THROW(bootstrap_mean(std::vector<double>{1, std::nan("")}, stream), Error);
  EXPECT_THROW(bootstrap_mean(two, stream, {.resamples = 0}), Error);
  EXPECT_THROW(bootstrap_mean(two, stream, {.level = 1.5}), Error);
  EXPECT_THROW(bootstrap_paired_difference(two, three, stream), Error);
}

}  // namespace
}  // namespace cuset::base
