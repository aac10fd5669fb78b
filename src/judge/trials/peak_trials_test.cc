#include "judge/trials/peak_trials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/stats/random.h"

namespace cuset::judge {
namespace {

constexpr int64_t kPlaces = 1000;

tasks::Array one_number(double value) {
  return tasks::Array::from_doubles(tasks::NumberType::kFloat32, {}, {value});
}

class PeakTrialsTest : public testing::Test {
 protected:
  PeakTrialsTest() {
    task_.inputs = {{"x", tasks::NumberType::kFloat32, {kPlaces}, {}}};
    task_.outputs = {{"y", tasks::NumberType::kFloat32, {}, {}}};
  }

  // The level for an operation on x.
  std::optional<PeakLevel> level_for(const std::function<double(const std::vector<double>&)>& operation) {
    std::vector<std::vector<tasks::Array>> outputs;
    for (const tasks::Peaks& peaks : peaks_to_try()) {
      const auto inputs =
          tasks::make_inputs(task_, tasks::Variation::kPeak, base::RandomStream(3, "peaks"), peaks);
      outputs.push_back({one_number(operation(inputs[0].to_doubles()))});
    }
    return choose_level(outputs);
  }

  // The same for a mean of f(x).
  std::optional<PeakLevel> level_for_mean(const std::function<double(double)>& f) {
    return level_for([&](const std::vector<double>& x) {
      double sum = 0;
      for (const double each : x) sum += f(each);
      return sum / static_cast<double>(x.size());
    });
  }

  tasks::Task task_;
};

TEST_F(PeakTrialsTest, ASumIsTriedOnTheLevelThatLeavesOneTerm) {
  const std::optional<PeakLevel> squares = level_for_mean([](double x) { return x * x; });
  ASSERT_TRUE(squares);
  EXPECT_EQ(peaks_to_try()[squares->first].level, tasks::Peaks::Level::kZero);
  EXPECT_EQ(squares->rest, 0);
  for (size_t i = 0; i < kPeakTrials; ++i)
    EXPECT_EQ(peaks_to_try()[squares->first + i].places, 1 << i);  // one place each
  task_.inputs[0].domain.mean = 7;
  const std::optional<PeakLevel> errors = level_for_mean([](double x) { return std::fabs(x - 7) + 1e-9; });
  ASSERT_TRUE(errors);
  EXPECT_EQ(peaks_to_try()[errors->first].level, tasks::Peaks::Level::kMiddle);
  EXPECT_GT(errors->rest, 0);
}

TEST_F(PeakTrialsTest, WhatIsNoSumOrHidesAPeakIsNotTried) {
  EXPECT_FALSE(level_for_mean([](double x) { return 1e-3 + std::fabs(x); }));
  EXPECT_FALSE(
      level_for([](const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()) + 5; }));
  EXPECT_FALSE(level_for([](const std::vector<double>& x) {
    double squares = 0;
    for (const double each : x) squares += each * each;
    return std::sqrt(squares);
  }));
}

TEST_F(PeakTrialsTest, OutputsThatAreAlwaysWholeAreNotTried) {
  const std::vector<tasks::Array> whole = {one_number(17)}, fraction = {one_number(0.5)};
  const std::vector<const std::vector<tasks::Array>*> indices = {&whole, &whole}, means = {&whole, &fraction};
  EXPECT_FALSE(may_be_sums(task_, indices));
  EXPECT_TRUE(may_be_sums(task_, means));
}

// A float32 sum that begins with the peak may lose all other terms, and one that ends with it none.
TEST_F(PeakTrialsTest, TheShareCoversOtherOrdersOfTheRest) {
  for (const float each : {2e-9f, 2e-8f, 7e-8f, 1e-7f}) {
    float first = 1, last = 0;
    for (int i = 0; i < kPlaces; ++i) first += each, last += each;
    const double rest = last;
    last += 1;
    EXPECT_LE(std::fabs(first - last) / last, share_of_peak(rest)) << each;
  }
}

}  // namespace
}  // namespace cuset::judge
