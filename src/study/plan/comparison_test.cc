#include "study/plan/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cuset::study {
namespace {

const base::RandomStream kStream(1, "test");

TEST(MeanRate, AveragesTasksThenSeeds) {
  EXPECT_DOUBLE_EQ(mean_rate({{1, 0, 0, 1}, {1, 1, 0, 1}}), 0.625);
  EXPECT_EQ(task_means({{1, 0, 0, 1}, {1, 1, 0, 1}}), (std::vector<double>{1, 0.5, 0, 1}));
}

TEST(TaskSeedBootstrap, ConstantRatesHaveNoSpread) {
  const TaskSeedBootstrap bootstrap({.tasks = 5, .most_seeds = 3, .draws = 200}, kStream);
  for (const double mean : bootstrap.means({{0.5, 0.5, 0.5, 0.5, 0.5}})) EXPECT_DOUBLE_EQ(mean, 0.5);
}

// Without spread over seeds the mean of a draw has variance p (1 - p) / n.
TEST(TaskSeedBootstrap, SpreadOverTasksIsThatOfABinomial) {
  const TaskSeedBootstrap bootstrap({.tasks = 100, .most_seeds = 2, .draws = 20'000}, kStream);
  std::vector<double> rates(100, 0);
  for (size_t i = 0; i < 30; ++i) rates[i] = 1;
  const base::Interval interval = interval_of_draws(bootstrap.means({rates, rates}));
  const double half = 1.96 * std::sqrt(0.3 * 0.7 / 100);
  EXPECT_NEAR(interval.low, 0.3 - half, 0.012);
  EXPECT_NEAR(interval.high, 0.3 + half, 0.012);
}

// Two seeds that differ everywhere: a draw takes each twice with probability 1/4, both with 1/2.
TEST(TaskSeedBootstrap, DrawsSeedsAnew) {
  const TaskSeedBootstrap bootstrap({.tasks = 3, .most_seeds = 2, .draws = 20'000}, kStream);
  size_t zero = 0, half = 0, one = 0;
  for (const double mean : bootstrap.means({{0, 0, 0}, {1, 1, 1}})) {
    if (mean == 0) ++zero;
    if (mean == 0.5) ++half;
    if (mean == 1) ++one;
  }
  EXPECT_EQ(zero + half + one, 20'000u);
  EXPECT_NEAR(static_cast<double>(zero) / 20'000, 0.25, 0.015);
  EXPECT_NEAR(static_cast<double>(half) / 20'000, 0.5, 0.015);
}

TEST(TaskSeedBootstrap, EqualSidesHaveNoDifferenceInAnyDraw) {
  const TaskSeedBootstrap bootstrap({.tasks = 4, .most_seeds = 2, .draws = 100}, kStream);
  const RatesBySeed rates = {{0, 1, 0.5, 0.25}, {1, 0, 0, 0.75}};
  for (const double difference : differences_of_draws(bootstrap.means(rates), bootstrap.means(rates)))
    EXPECT_EQ(difference, 0);
}

// Of the 8 sign patterns of 1, 2, 3 two reach 6, and four reach 4.
TEST(SignFlipTest, MatchesPatternsCountedByHand) {
  EXPECT_DOUBLE_EQ(sign_flip_p_value(std::vector<double>{1, 2, 3}, kStream), 2.0 / 8);
  EXPECT_DOUBLE_EQ(sign_flip_p_value(std::vector<double>{-1, 2, 3}, kStream), 4.0 / 8);
  EXPECT_DOUBLE_EQ(sign_flip_p_value(std::vector<double>{1, -1}, kStream), 1);
  EXPECT_DOUBLE_EQ(sign_flip_p_value(std::vector<double>{0, 0.5, 0, 0.5, 0.5, 0.5, 0.5}, kStream), 2.0 / 32);
}

TEST(SignFlipTest, NoDifferencesAreNoEvidence) {
  EXPECT_EQ(sign_flip_p_value(std::vector<double>{0, 0}, kStream), 1);
  EXPECT_EQ(sign_flip_p_value(std::vector<double>{}, kStream), 1);
}

// 20 differences of one size, 15 of them positive: the two-sided binomial test gives 0.041389.
TEST(SignFlipTest, RandomPatternsAgreeWithTheBinomialTest) {
  std::vector<double> differences(20, 1);
  for (size_t i = 0; i < 5; ++i) differences[i] = -1;
  EXPECT_NEAR(sign_flip_p_value(differences, kStream), 0.041389, 0.003);
}

TEST(SignFlipTest, ClearDifferencesReachTheSmallestValue) {
  EXPECT_NEAR(sign_flip_p_value(std::vector<double>(50, 0.3), kStream), 1.0 / 100'001, 1e-12);
}

// In order of size: 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04 x 1, which may not fall below 0.06.
TEST(Holm, MatchesTheRuleByHand) {
  const std::vector<double> adjusted = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[3], 0.02, 1e-12);
  EXPECT_NEAR(adjusted[0], 0.03, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-12);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-12);
}

TEST(Holm, NeverExceedsOne) {
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.6, 0.9}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm_adjusted({}).empty());
}

}  // namespace
}  // namespace cuset::study
