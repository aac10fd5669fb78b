#include "judge/trials/proof_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/trials/expected.h"

namespace cuset::judge {
namespace {

using tasks::Array;
using tasks::NumberType;

Array array_of(NumberType type, const std::vector<double>& values) {
  return Array::from_doubles(type, {static_cast<int64_t>(values.size())}, values);
}

std::vector<double> rising(int count, double first, double step) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * i);
  return values;
}

TEST(InputsForHost, FloatsDifferFromEachOtherAcrossInputs) {
  for (const NumberType type : {NumberType::kFloat32, NumberType::kFloat64}) {
    const Array same = array_of(type, std::vector<double>(50, 0.5)),
                zeros = array_of(type, std::vector<double>(50));
    const std::vector<Array> real{array_of(type, rising(50, 1, 1)), array_of(type, rising(50, 2, 1))};
    std::set<double> seen{0.0};
    for (const Array& shown : inputs_for_host({same, zeros}, real)) {
      for (const double value : shown.to_doubles()) {
        EXPECT_TRUE(seen.insert(value).second) << value;
        EXPECT_LT(std::abs(value), 0.6);
      }
    }
    EXPECT_EQ(seen.size(), 101U);
  }
}

// In time that does not grow with the square of how many are the same.
TEST(InputsForHost, MillionsOfTheSameNumberBecomeDistinct) {
  constexpr int kCount = 3'000'000;
  const std::vector<Array> real{array_of(NumberType::kFloat32, rising(kCount, 1, 1))};
  const std::vector<Array> shown =
      inputs_for_host({array_of(NumberType::kFloat32, std::vector<double>(kCount, 2))}, real);
  std::vector<double> values = shown[0].to_doubles();
  std::sort(values.begin(), values.end());
  EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
}

TEST(InputsForHost, FewNumbersAreTheRealOnesBesideMany) {
  const std::vector<Array> real{array_of(NumberType::kFloat32, {3}),
                                array_of(NumberType::kFloat32, rising(20, 0, 1))};
  const std::vector<Array> other{array_of(NumberType::kFloat32, {8}),
                                 array_of(NumberType::kFloat32, rising(20, 5, 1))};
  EXPECT_EQ(inputs_for_host(other, real)[0].bytes, real[0].bytes);
  EXPECT_EQ(inputs_for_host({other[0]}, {real[0]})[0].bytes, other[0].bytes);
}

TEST(OnlyRearranges, TellsMovedElementsFromComputedOnes) {
  const std::vector<Array> inputs{array_of(NumberType::kFloat32, rising(1000, 1, 0.37))};
  std::vector<double> moved = rising(1000, 1, 0.37);
  std::reverse(moved.begin(), moved.end());
  // Oracles compute in double; padding is zero.
  EXPECT_TRUE(only_rearranges(inputs, {array_of(NumberType::kFloat64, inputs[0].to_doubles())}));
  moved[7] = 0;
  EXPECT_TRUE(only_rearranges(inputs, {array_of(NumberType::kFloat32, moved)}));
  moved[999] = 1234.5;  // far behind the words that usually tell
  EXPECT_FALSE(only_rearranges(inputs, {array_of(NumberType::kFloat32, moved)}));
  EXPECT_FALSE(only_rearranges(inputs, {array_of(NumberType::kFloat32, rising(1000, 3000, 1))}));
}

TEST(OnlyConverts, KnowsWhatHostsMakeOfInputs) {
  const std::vector<Array> whole{array_of(NumberType::kInt32, rising(100, -3000, 61))};
  const std::vector<Array> color{array_of(NumberType::kUint8, rising(100, 1, 2))};
  std::vector<double> numbers = whole[0].to_doubles();
  EXPECT_TRUE(only_converts(whole, {array_of(NumberType::kFloat32, numbers)}));
  EXPECT_FALSE(only_converts(whole, {array_of(NumberType::kFloat32, numbers), color[0]}));
  numbers[99] += 1;
  EXPECT_FALSE(only_converts(whole, {array_of(NumberType::kFloat32, numbers)}));
  std::vector<double> shares = color[0].to_doubles();
  for (double& share : shares) share /= 255;
  EXPECT_TRUE(only_converts(color, {array_of(NumberType::kFloat64, shares)}));
  const Array fractions = array_of(NumberType::kFloat32, rising(100, -8.3, 0.7));
  std::vector<double> cut = fractions.to_doubles();
  for (double& value : cut) value = std::trunc(value);
  EXPECT_TRUE(only_converts({fractions}, {array_of(NumberType::kInt32, cut)}));
}

TEST(ProofInputs, AreOfAnotherTrialAndMadeOnce) {
  Expected expected;
  for (const double first : {1.0, 5000.0})
    expected.trials.push_back({tasks::Variation::kPlain,
                               {array_of(NumberType::kFloat32, rising(100, first, 1))},
                               {array_of(NumberType::kFloat32, rising(100, first, 2))},
                               {}});
  const ProofInputs& inputs = expected.proof->of(expected);
  EXPECT_EQ(inputs.shown[0].bytes, expected.trials[1].inputs[0].bytes);
  EXPECT_FALSE(inputs.only_rearranges);
  EXPECT_EQ(&expected.proof->of(expected), &inputs);
}

TEST(ProofInputs, OfASingleTrialAreItsNumbersInAnotherOrder) {
  Expected expected;
  expected.trials.push_back({tasks::Variation::kPlain,
                             {array_of(NumberType::kFloat32, rising(100, 1, 1))},
                             {array_of(NumberType::kFloat32, rising(100, 1, 1))},
                             {}});
  const ProofInputs& inputs = expected.proof->of(expected);
  EXPECT_EQ(inputs.shown[0].to_doubles(), rising(100, 100, -1));
  EXPECT_TRUE(inputs.only_rearranges);
}

TEST(ShownInputs, HaveTheSizesOfTheTrialThatTheyStandFor) {
  const Array size = array_of(NumberType::kInt32, {20}), other_size = array_of(NumberType::kInt32, {19});
  const Array shown = array_of(NumberType::kFloat32, rising(20, 5, 1));
  const std::vector<Array> real{other_size, array_of(NumberType::kFloat32, std::vector<double>(20))};
  const ProofInputs inputs{{size, shown}, false};
  EXPECT_EQ(shown_with_sizes_of(inputs, real)[0].bytes, other_size.bytes);
  EXPECT_EQ(shown_with_sizes_of(inputs, real)[1].bytes, shown.bytes);
}

}  // namespace
}  // namespace cuset::judge
