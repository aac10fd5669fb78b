#include "verify/judge/results/comparison.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

// "+-+ -?" is two tasks: + correct, - wrong, ? without a verdict.
std::vector<Verdict> verdicts_of(std::string_view marks) {
  std::vector<Verdict> verdicts;
  int task = 0;
  for (const char mark : marks) {
    if (mark == ' ') {
      ++task;
      continue;
    }
    Verdict& verdict = verdicts.emplace_back();
    verdict.task = std::to_string(task);
    verdict.word = mark == '+' ? Word::kCorrect : mark == '-' ? Word::kWrongOutput : Word::kUnsupported;
  }
  return verdicts;
}

TEST(FunctionGain, IsTheMeanOverTasksOfDifferencesOfShares) {
  const auto gain = function_gain(verdicts_of("+- -- ++"), verdicts_of("++ +- ++"));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->value, (0.5 + 0.5 + 0) / 3, 1e-12);
}

TEST(FunctionGain, LeavesOutTasksThatOneSideHasNoVerdictOn) {
  const auto gain = function_gain(verdicts_of("- ? -"), verdicts_of("+ +"));
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->value, 1);
  EXPECT_FALSE(function_gain(verdicts_of("?"), verdicts_of("+")));
}

TEST(FunctionGain, ManyTasksAllOneWayAreNoNoise) {
  std::string before;
  std::string after;
  for (int i = 0; i < 40; ++i) {
    before += i % 4 == 0 ? "+ " : "- ";
    after += i % 4 == 3 ? "- " : "+ ";
  }
  const auto gain = function_gain(verdicts_of(before), verdicts_of(after));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->value, 0.5, 1e-12);
  EXPECT_FALSE(is_within_noise(*gain));
  EXPECT_GT(gain->interval.low, 0.3);
  EXPECT_LT(gain->interval.high, 0.7);
}

TEST(FunctionGain, OneTaskMoreOfManyIsWithinTheNoise) {
  const auto gain = function_gain(verdicts_of("+ - + - + - -"), verdicts_of("- + + - - + +"));
  ASSERT_TRUE(gain);
  EXPECT_TRUE(is_within_noise(*gain));
}

}  // namespace
}  // namespace cuset
