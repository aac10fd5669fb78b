#include "verify/judge/surroundings.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

Array counting(int64_t n) {
  std::vector<double> values(static_cast<size_t>(n));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 2;
  return Array::from_doubles(NumberType::kFloat32, {n}, values);
}

const std::vector<TaskInput> kNames = {{"x", NumberType::kFloat32, {}, {}},
                                       {"w", NumberType::kFloat32, {}, {}}};

TEST(Surroundings, TheSameIndexOfInputsOfTheSameSize) {
  EXPECT_EQ(surroundings(kNames, {counting(8), counting(3)}, 4, 8), "x[2..6] = 1 1.5 2 2.5 3");
  EXPECT_EQ(surroundings(kNames, {counting(8), counting(8)}, 0, 8), "x[0..2] = 0 0.5 1; w[0..2] = 0 0.5 1");
  EXPECT_EQ(surroundings(kNames, {counting(8), counting(3)}, 7, 8), "x[5..7] = 2.5 3 3.5");
}

TEST(Surroundings, TheBeginningOfAReducedRow) {
  EXPECT_EQ(surroundings(kNames, {counting(12), counting(5)}, 1, 2), "x[6..9] = 3 3.5 4 4.5");
  EXPECT_EQ(surroundings(kNames, {counting(2), counting(5)}, 0, 1), "x[0..1] = 0 0.5; w[0..3] = 0 0.5 1 1.5");
}

}  // namespace
}  // namespace cuset
