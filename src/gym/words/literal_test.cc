#include "gym/words/literal.h"

#include <gtest/gtest.h>

namespace cuset::gym {
namespace {

TEST(Literal, ShortestTextThatReadsBack) {
  EXPECT_EQ(decimal(0.25), "0.25");
  EXPECT_EQ(decimal(3), "3");
  EXPECT_EQ(decimal(1e-5), "1e-5");
  EXPECT_EQ(decimal(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(decimal(1e22), "1e+22");
}

TEST(Literal, HasTheTypeOfItsPlace) {
  EXPECT_EQ(literal(3, "float", true), "3.0f");
  EXPECT_EQ(literal(3, "double", true), "3.0");
  EXPECT_EQ(literal(3, "int", true), "3");
  EXPECT_EQ(literal(1e-5, "float", true), "1e-5f");
  EXPECT_EQ(literal(-0.5, "float", true), "(-0.5f)");
  EXPECT_EQ(literal(-0.5, "float", false), "-0.5f");
}

}  // namespace
}  // namespace cuset::gym
