#include "base/stats/rounding.h"

#include <gtest/gtest.h>

#include <limits>

namespace cuset::base {
namespace {

TEST(FiveDigits, AreSignificantOnes) {
  EXPECT_EQ(five_digits(0.123456789), 0.12346);
  EXPECT_EQ(five_digits(-123456.0), -123460.0);
  EXPECT_EQ(five_digits(1.23456e-9), 1.2346e-9);
  EXPECT_EQ(five_digits(0.5), 0.5);
  EXPECT_EQ(five_digits(0), 0);
}

TEST(FiveDigits, WhatIsNotFiniteStays) {
  EXPECT_EQ(five_digits(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(five_digits(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace cuset::base
