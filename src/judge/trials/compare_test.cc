#include "judge/trials/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/stats/random.h"

namespace cuset::judge {
namespace {

tasks::Array floats(const std::vector<double>& values) {
  return tasks::Array::from_doubles(tasks::NumberType::kFloat32, {static_cast<int64_t>(values.size())},
                                    values);
}

tasks::Array doubles(const std::vector<double>& values) {
  return tasks::Array::from_doubles(tasks::NumberType::kFloat64, {static_cast<int64_t>(values.size())},
                                    values);
}

TEST(Compare, ToleranceHasAnAbsoluteAndARelativePart) {
  const tasks::Tolerance tolerance{0.5, 0.125};
  EXPECT_EQ(compare("y", floats({10.5, 8.0, -3.0}), floats({9.0, 8.0, -3.5}), tolerance).wrong, 0u);
  const OutputComparison wrong = compare("y", floats({10.75, 8.0}), floats({9.0, 8.0}), tolerance);
  EXPECT_EQ(wrong.wrong, 1u);
  EXPECT_EQ(wrong.elements, 2u);
  EXPECT_DOUBLE_EQ(wrong.largest_absolute, 1.75);
  EXPECT_DOUBLE_EQ(wrong.largest_relative, 1.75 / 9);
  EXPECT_DOUBLE_EQ(wrong.fraction_right(), 0.5);
}

TEST(Compare, TheWorstElementExceedsTheToleranceMost) {
  const OutputComparison result =
      compare("y", floats({1, 2, 90, 4, 6}), doubles({1, 3, 100, 4, 4}), {0, 0.0625});
  EXPECT_EQ(result.wrong, 3u);
  EXPECT_EQ(result.worst, 2u);
  ASSERT_EQ(result.first.size(), 3u);
  EXPECT_EQ(result.first[0].index, 1u);
  EXPECT_EQ(result.first[0].got, 2);
  EXPECT_EQ(result.first[0].wanted, 3);
}

TEST(Compare, NanIsRightOnlyWhereNanIsWanted) {
  const double nan = std::nan("");
  EXPECT_EQ(compare("y", floats({nan, 1}), floats({nan, 1}), {}).wrong, 0u);
  EXPECT_EQ(compare("y", floats({nan}), floats({1}), {1e30, 1}).wrong, 1u);
  EXPECT_EQ(compare("y", floats({1}), floats({nan}), {1e30, 1}).wrong, 1u);
}

TEST(Compare, InfinitiesHaveASign) {
  EXPECT_EQ(compare("y", floats({HUGE_VAL, -HUGE_VAL}), floats({HUGE_VAL, -HUGE_VAL}), {}).wrong, 0u);
  EXPECT_EQ(compare("y", floats({HUGE_VAL}), floats({-HUGE_VAL}), {1e30, 1}).wrong, 1u);
  EXPECT_EQ(compare("y", floats({3e38}), floats({HUGE_VAL}), {1e30, 1}).wrong, 1u);
}

TEST(Compare, WholeNumbersAreExactWhateverTheTolerance) {
  const tasks::Array wanted = tasks::Array::from_doubles(tasks::NumberType::kInt32, {2}, {5, -7});
  EXPECT_EQ(
      compare("i", tasks::Array::from_doubles(tasks::NumberType::kInt32, {2}, {5, -7}), wanted, {1, 1}).wrong,
      0u);
  EXPECT_EQ(compare("i", tasks::Array::from_doubles(tasks::NumberType::kInt32, {2}, {5, -6}), wanted, {10, 1})
                .wrong,
            1u);
}

TEST(Compare, LargeWholeNumbersKeepAllTheirDigits) {
  tasks::Array got = tasks::Array::zeros(tasks::NumberType::kInt64, {1}), wanted = got;
  got.bytes[7] = wanted.bytes[7] = std::byte{0x10};
  got.bytes[0] = std::byte{1};
  const OutputComparison result = compare("i", got, wanted, {});
  EXPECT_EQ(result.wrong, 1u);
  EXPECT_EQ(result.first[0].got_text(), "1152921504606846977");
  EXPECT_EQ(result.first[0].wanted_text(), "1152921504606846976");
}

TEST(Compare, UnsignedWholeNumbersAreShownWithoutASign) {
  tasks::Array got = tasks::Array::zeros(tasks::NumberType::kUint64, {1}), wanted = got;
  for (std::byte& byte : got.bytes) byte = std::byte{0xff};
  EXPECT_EQ(compare("u", got, wanted, {}).first[0].got_text(), "18446744073709551615");
}

TEST(Compare, OnlyTheFirstEightAreKept) {
  const OutputComparison result =
      compare("y", floats(std::vector<double>(100, 1)), floats(std::vector<double>(100, 2)), {});
  EXPECT_EQ(result.wrong, 100u);
  EXPECT_EQ(result.first.size(), 8u);
}

OutputComparison output(const char* name, uint64_t elements, std::vector<Difference> wrong) {
  OutputComparison comparison;
  comparison.output = name;
  comparison.elements = elements;
  comparison.wrong = wrong.size();
  comparison.first = std::move(wrong);
  return comparison;
}

TEST(ExplainWrong, TheFirstOutputWithAWrongElementIsShown) {
  Trial trial;
  trial.variation = tasks::Variation::kShifted;
  trial.outputs = {output("a", 6, {}), output("b", 2, {{1, -std::nan(""), 0.1, ""}})};
  EXPECT_EQ(explain_wrong(trial), "b[1] is nan, wanted 0.1; 1 of 2 wrong on shifted inputs");
  EXPECT_DOUBLE_EQ(fraction_right(trial.outputs), 0.875);
}

TEST(ExplainWrong, WholeNumbersHaveAllTheirDigits) {
  Trial trial;
  trial.outputs = {output("n", 2, {{1, 1234567891, -3, "", "1234567891", "-3"}})};
  EXPECT_EQ(explain_wrong(trial), "n[1] is 1234567891, wanted -3; 1 of 2 wrong on plain inputs");
}

TEST(ExplainWrong, NothingWrongIsNothingToSay) {
  Trial trial;
  trial.outputs = {output("a", 6, {})};
  EXPECT_EQ(explain_wrong(trial), "");
  EXPECT_EQ(fraction_right(trial.outputs), 1);
  EXPECT_EQ(fraction_right({}), 0);
}

tasks::Array counting(int64_t n) {
  std::vector<double> values(static_cast<size_t>(n));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 2;
  return tasks::Array::from_doubles(tasks::NumberType::kFloat32, {n}, values);
}

const std::vector<tasks::TaskInput> kNames = {{"x", tasks::NumberType::kFloat32, {}, {}},
                                              {"w", tasks::NumberType::kFloat32, {}, {}}};

TEST(InputsNear, TheSameIndexOfInputsOfTheSameSize) {
  EXPECT_EQ(inputs_near(kNames, {counting(8), counting(3)}, 4, 8), "x[2..6] = 1 1.5 2 2.5 3");
  EXPECT_EQ(inputs_near(kNames, {counting(8), counting(8)}, 0, 8), "x[0..2] = 0 0.5 1; w[0..2] = 0 0.5 1");
  EXPECT_EQ(inputs_near(kNames, {counting(8), counting(3)}, 7, 8), "x[5..7] = 2.5 3 3.5");
}

TEST(InputsNear, TheBeginningOfAReducedRow) {
  EXPECT_EQ(inputs_near(kNames, {counting(12), counting(5)}, 1, 2), "x[6..9] = 3 3.5 4 4.5");
  EXPECT_EQ(inputs_near(kNames, {counting(2), counting(5)}, 0, 1), "x[0..1] = 0 0.5; w[0..3] = 0 0.5 1 1.5");
}

TEST(FirstRefusing, IsWhatTryingEachToleranceFinds) {
  base::RandomStream random(3, "tolerances");
  std::vector<tasks::Tolerance> narrowing;
  for (int i = 0; i < 20; ++i) narrowing.push_back({std::ldexp(0.5, -i), std::ldexp(0.25, -std::min(i, 8))});
  for (int round = 0; round < 200; ++round) {
    std::vector<double> wanted(8), got(8);
    for (size_t i = 0; i < wanted.size(); ++i) {
      wanted[i] = random.uniform() - 0.5;
      got[i] = wanted[i] + std::ldexp(random.uniform(), -static_cast<int>(random.next_u64() % 30));
    }
    if (round % 10 == 0) got[5] = NAN;
    if (round % 20 == 0) wanted[5] = NAN;
    const tasks::Array array = tasks::Array::from_doubles(tasks::NumberType::kFloat64, {8}, wanted);
    const auto value = [&](uint64_t i) { return got[i]; };
    for (const size_t from : {size_t{0}, size_t{7}, size_t{19}}) {
      size_t naive = from;
      while (naive < narrowing.size() && all_right(value, array, narrowing[naive])) ++naive;
      EXPECT_EQ(first_refusing(value, array, narrowing, from), naive);
    }
  }
}

}  // namespace
}  // namespace cuset::judge
