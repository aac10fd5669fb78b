#include "base/stats/window_mean.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/stats/random.h"

namespace cuset::base {
namespace {

TEST(WindowMeans, DoNotDependOnWhatStandsBefore) {
  RandomStream random(1, "window means");
  WindowMeans late, alone;
  for (int i = 0; i < 1000; ++i) late.add(random.uniform());
  for (int i = 0; i < 7; ++i) {
    const double p = random.uniform();
    late.add(p);
    alone.add(p);
  }
  EXPECT_EQ(late.mean({1000, 1007}), alone.mean({0, 7}));
  EXPECT_EQ(late.size(), 1007u);
}

TEST(WindowMeans, ByHand) {
  WindowMeans means;
  for (const double p : {1.0, 0.5, 0.0, 0.25}) means.add(p);
  EXPECT_EQ(means.mean({0, 4}), 0.4375);
  EXPECT_EQ(means.mean({1, 3}), 0.25);
  EXPECT_EQ(means.mean({3, 4}), 0.25);
}

TEST(ConfidenceUnits, WhatIsNotANumberCountsAsZero) {
  EXPECT_EQ(confidence_units(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(confidence_units(1), int64_t{1} << 40);
  EXPECT_EQ(confidence_units(0x1.8p-40), 2) << "half units go to the even side, as LibTorch rounds";
  EXPECT_EQ(confidence_units(0x1.4p-39), 2);
}

TEST(LowestTrailingMean, IsThatOfTheSlidingWindow) {
  RandomStream random(2, "trailing");
  LowestTrailingMean<5> trailing;
  WindowMeans means;
  double lowest = 1;
  for (size_t n = 1; n <= 100; ++n) {
    const double p = random.uniform();
    trailing.add(p);
    means.add(p);
    ASSERT_EQ(trailing.has_window(), n >= 5);
    if (n < 5) continue;
    lowest = std::min(lowest, means.mean({n - 5, n}));
    ASSERT_EQ(trailing.mean(), lowest) << n;
  }
}

}  // namespace
}  // namespace cuset::base
