#include "judge/trials/tolerance.h"

#include <gtest/gtest.h>

#include "base/stats/random.h"
#include "judge/trials/compare.h"

namespace cuset::judge {
namespace {

class ToleranceTest : public testing::Test {
 protected:
  static tasks::Array floats(const std::vector<double>& values) {
    return tasks::Array::from_doubles(tasks::NumberType::kFloat32, {static_cast<int64_t>(values.size())},
                                      values);
  }

  std::vector<double> random_values(size_t n, double scale) {
    std::vector<double> values(n);
    for (double& value : values) value = scale * stream_.normal();
    return values;
  }

  tasks::Tolerance fit(const tasks::Tolerance& declared, const tasks::Array& wanted,
                       const tasks::Array* plain = nullptr) {
    const double largest = largest_finite(wanted);
    const double usual = plain == nullptr ? largest : largest_finite(*plain);
    return fit_tolerance(declared, output_, wanted, {&names_, &inputs_, largest, largest, usual, plain});
  }

  base::RandomStream stream_{7, "tolerance"};
  tasks::TaskOutput output_{"y", tasks::NumberType::kFloat32, {64}, {}};
  std::vector<tasks::TaskInput> names_;
  std::vector<tasks::Array> inputs_;
};

TEST_F(ToleranceTest, ANarrowOneStaysAsDeclared) {
  const tasks::Tolerance fitted = fit({1e-5, 1e-5}, floats(random_values(64, 1)));
  EXPECT_EQ(fitted.absolute, 1e-5);
  EXPECT_EQ(fitted.relative, 1e-5);
}

TEST_F(ToleranceTest, ZerosNeverPass) {
  const tasks::Array wanted = floats(random_values(64, 1e-3));
  ASSERT_TRUE(all_right(floats(std::vector<double>(64, 0)), wanted, {1e-2, 0}));
  const tasks::Tolerance fitted = fit({1e-2, 0}, wanted);
  EXPECT_FALSE(all_right(floats(std::vector<double>(64, 0)), wanted, fitted));
}

TEST_F(ToleranceTest, ACopyOfAnInputNeverPasses) {
  const std::vector<double> values = random_values(64, 1);
  std::vector<double> nearly = values;
  for (double& value : nearly) value *= 1.004;
  names_ = {{"x", tasks::NumberType::kFloat32, {64}, {}}};
  inputs_ = {floats(values)};
  const tasks::Tolerance fitted = fit({1e-2, 1e-2}, floats(nearly));
  EXPECT_FALSE(all_right(inputs_[0], floats(nearly), fitted));
}

TEST_F(ToleranceTest, CopyingIsTheRightAnswerToACopyingTask) {
  names_ = {{"x", tasks::NumberType::kFloat32, {64}, {}}};
  inputs_ = {floats(random_values(64, 1))};
  const tasks::Tolerance fitted = fit({1e-5, 1e-5}, inputs_[0]);
  EXPECT_EQ(fitted.absolute, 1e-5);
}

// Half of them are off by more than a float's rounding, and the copy of an input that rounding to the output's type makes is right.
TEST_F(ToleranceTest, OutputsOfANarrowTypeMayBeRounded) {
  const tasks::Array wanted = floats(random_values(64, 1));
  names_ = {{"x", tasks::NumberType::kFloat32, {64}, {}}};
  for (const tasks::NumberType type : {tasks::NumberType::kFloat16, tasks::NumberType::kBfloat16}) {
    output_.type = type;
    const tasks::Array rounded = tasks::Array::from_doubles(type, {64}, wanted.to_doubles());
    inputs_ = {wanted};
    EXPECT_TRUE(all_right(rounded, wanted, fit({1e-2, 1e-2}, wanted)));
    std::vector<double> near = wanted.to_doubles();
    for (double& value : near) value += 1e-4;
    inputs_ = {floats(near)};
    EXPECT_TRUE(all_right(rounded, wanted, fit({1e-2, 1e-2}, wanted)));
  }
}

TEST_F(ToleranceTest, HalfPrecisionNeverPasses) {
  const tasks::Array wanted = floats(random_values(64, 1));
  const tasks::Array half = tasks::Array::from_doubles(
      tasks::NumberType::kFloat32, {64},
      tasks::Array::from_doubles(tasks::NumberType::kFloat16, {64}, wanted.to_doubles()).to_doubles());
  EXPECT_TRUE(all_right(half, wanted, {1e-2, 1e-2}));
  EXPECT_FALSE(all_right(half, wanted, fit({1e-2, 1e-2}, wanted)));
}

TEST_F(ToleranceTest, OneNumberMayBeOffByLittle) {
  output_.shape = {1};
  const tasks::Tolerance fitted = fit({1e-2, 1e-2}, floats({0.5}));
  EXPECT_DOUBLE_EQ(fitted.absolute, 1e-4);
  EXPECT_DOUBLE_EQ(fitted.relative, 2e-4);
}

TEST_F(ToleranceTest, OneTermMayBeOffByLess) {
  output_.shape = {1};
  const tasks::Array wanted = floats({0.25});
  const tasks::Tolerance fitted =
      fit_tolerance({1e-2, 1e-2}, output_, wanted, {&names_, &inputs_, 0.5, 0.25, 0.5, nullptr, 2e-5});
  EXPECT_DOUBLE_EQ(fitted.absolute, 5e-6);
  EXPECT_DOUBLE_EQ(fitted.relative, 0);
}

TEST_F(ToleranceTest, TheOutputsOfAnotherTrialNeverPass) {
  const tasks::Array plain = floats({0.5001}), wanted = floats({0.5009});
  ASSERT_TRUE(all_right(plain, wanted, {1e-2, 0}));
  EXPECT_FALSE(all_right(plain, wanted, fit({1e-2, 0}, wanted, &plain)));
}

TEST_F(ToleranceTest, LargerOutputsHaveLargerRoundingErrors) {
  const tasks::Array plain = floats(random_values(64, 1)), wanted = floats(random_values(64, 1000));
  EXPECT_GT(fit({1e-4, 0}, wanted, &plain).absolute, 1e-2);
}

TEST_F(ToleranceTest, NothingIsNarrowedBelowHonestDifferences) {
  std::vector<double> values(64, 1000.0);
  for (size_t i = 0; i < values.size(); ++i) values[i] += i % 2 == 0 ? 0.005 : -0.005;
  EXPECT_NEAR(fit({1, 0}, floats(values)).absolute, 0.01, 1e-6);
}

TEST_F(ToleranceTest, WholeNumbersHaveNone) {
  output_.type = tasks::NumberType::kInt32;
  const tasks::Array wanted = tasks::Array::from_doubles(tasks::NumberType::kInt32, {3}, {1, 2, 3});
  EXPECT_EQ(fit({0.5, 0}, wanted).absolute, 0.5);
}

}  // namespace
}  // namespace cuset::judge
