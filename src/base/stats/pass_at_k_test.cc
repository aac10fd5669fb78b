#include "base/stats/pass_at_k.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::base {
namespace {

TEST(PassAtK, MatchesExactFractions) {
  const Json reference = read_json_file("testdata/statistics/pass_at_k.json");
  for (const auto& row : reference["cases"]) {
    const double want = row["value"];
    EXPECT_NEAR(pass_at_k({row["n"], row["c"]}, row["k"]), want, 1e-13 * want) << row;
  }
}

TEST(PassAtK, AtOneIsTheRate) {
  for (uint64_t c = 0; c <= 10; ++c) EXPECT_DOUBLE_EQ(pass_at_k({10, c}, 1), static_cast<double>(c) / 10);
}

TEST(PassAtK, NeverExceedsOneAndGrowsWithK) {
  for (uint64_t c = 1; c <= 300; c += 13) {
    double last = 0;
    for (uint64_t k = 1; k <= 300; ++k) {
      const double value = pass_at_k({300, c}, k);
      ASSERT_GE(value, last - 1e-15);
      ASSERT_LE(value, 1);
      last = value;
    }
  }
}

TEST(PassAtK, ImpossibleTalliesAreErrorsWithTheirValues) {
  EXPECT_THROW(pass_at_k({5, 6}, 1), Error);
  EXPECT_THROW(pass_at_k({5, 2}, 0), Error);
  EXPECT_THROW(pass_at_k({0, 0}, 1), Error);
  try {
    pass_at_k({5, 2}, 10);
    FAIL() << "k > n was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.one_line(),
              "pass@10: a task has 5 samples (k must be from 1 to the samples of each task)");
  }
}

TEST(PassAtK, MeanOverTasksCarriesABootstrapInterval) {
  const std::vector<TaskTally> tasks = {{10, 0}, {10, 1}, {10, 5}, {10, 10}, {20, 3}, {10, 0}};
  const RandomStream stream(1, "report");
  const Estimate estimate = mean_pass_at_k(tasks, 1, stream);
  EXPECT_DOUBLE_EQ(estimate.value, (0.1 + 0.5 + 1 + 0.15) / 6);
  EXPECT_LT(estimate.interval.low, estimate.value);
  EXPECT_GT(estimate.interval.high, estimate.value);
  std::vector<double> scores;
  for (const TaskTally& task : tasks) scores.push_back(pass_at_k(task, 1));
  const Estimate direct = bootstrap_mean(scores, stream);
  EXPECT_EQ(estimate.interval.low, direct.interval.low);
  EXPECT_EQ(estimate.interval.high, direct.interval.high);
  EXPECT_THROW(mean_pass_at_k({}, 1, stream), Error);
  EXPECT_THROW(mean_pass_at_k(tasks, 11, stream), Error);
}

}  // namespace
}  // namespace cuset::base
