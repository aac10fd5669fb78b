#include "judge/run/downloads.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cuset::judge {
namespace {

using tasks::Array;
using tasks::NumberType;

Array floats(const std::vector<double>& values) {
  return Array::from_doubles(NumberType::kFloat32, {static_cast<int64_t>(values.size())}, values);
}

std::vector<double> series(int count, double factor) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(factor * i * i + 1);
  return values;
}

Download part(const Array& array, size_t first, size_t count) {
  const auto begin = array.bytes.begin() + static_cast<ptrdiff_t>(4 * first);
  return {begin, begin + static_cast<ptrdiff_t>(4 * count)};
}

Download joined(Download one, const Download& two) {
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

const Array kOutput = floats(series(100, 0.5));
const Array kOther = floats(series(100, -3));

TEST(BytesBesideOutputs, OutputItselfIsNotCounted) {
  EXPECT_EQ(bytes_beside_outputs({kOutput.bytes}, {kOutput}), 0u);
}

TEST(BytesBesideOutputs, PiecesOfAnOutputAreNotCounted) {
  EXPECT_EQ(bytes_beside_outputs({part(kOutput, 0, 40), part(kOutput, 40, 60)}, {kOutput}), 0u);
}

TEST(BytesBesideOutputs, PaddingAroundRowsIsNotCounted) {
  const Download zeros(64);
  const Download padded = joined(joined(part(kOutput, 0, 50), zeros), joined(part(kOutput, 50, 50), zeros));
  EXPECT_LE(bytes_beside_outputs({padded}, {kOutput}), 8u);
}

TEST(BytesBesideOutputs, OutputInAnotherTypeIsNotCounted) {
  const Array wide = Array::from_doubles(NumberType::kFloat64, {100}, kOutput.to_doubles());
  EXPECT_EQ(bytes_beside_outputs({wide.bytes}, {kOutput}), 0u);
}

TEST(BytesBesideOutputs, AnythingElseIsCounted) {
  EXPECT_EQ(bytes_beside_outputs({kOther.bytes, kOutput.bytes}, {kOutput}), kOther.bytes.size());
}

TEST(OutputsOfOther, TakesTheSamePlacesOfTheOtherRun) {
  const auto composed = outputs_of_other({part(kOutput, 0, 40), part(kOutput, 40, 60)},
                                         {part(kOther, 0, 40), part(kOther, 40, 60)}, {kOutput});
  ASSERT_TRUE(composed);
  EXPECT_EQ(composed->at(0).bytes, kOther.bytes);
}

TEST(OutputsOfOther, RefusesAnOutputThatIsNotAllFromTheDevice) {
  EXPECT_FALSE(outputs_of_other({part(kOutput, 0, 90)}, {part(kOther, 0, 90)}, {kOutput}));
}

TEST(OutputsOfOther, RefusesRunsOfOtherSizes) {
  EXPECT_FALSE(outputs_of_other({kOutput.bytes}, {part(kOther, 0, 90)}, {kOutput}));
}

}  // namespace
}  // namespace cuset::judge
