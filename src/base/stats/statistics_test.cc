#include "base/stats/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::base {
namespace {

const Json& reference() {
  static const Json value = read_json_file("testdata/statistics/statistics.json");
  return value["cases"];
}

TEST(Statistics, MeanAndDeviationMatchExactFractions) {
  for (const auto& row : reference()) {
    const auto values = row["values"].get<std::vector<double>>();
    EXPECT_DOUBLE_EQ(mean(values), row["mean"].get<double>()) << row;
    if (!row.contains("sd")) continue;
    const double deviation = row["sd"];
    EXPECT_NEAR(standard_deviation(values), deviation, 1e-14 * deviation) << row;
  }
}

TEST(Statistics, QuantilesMatchNumpysDefault) {
  for (const auto& row : reference()) {
    const auto values = row["values"].get<std::vector<double>>();
    const auto qs = row["qs"].get<std::vector<double>>();
    const std::vector<double> got = quantiles(values, qs);
    const auto want = row["quantiles"].get<std::vector<double>>();
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], want[i], 1e-14 * std::abs(want[i])) << row << " at " << qs[i];
      EXPECT_EQ(quantile(values, qs[i]), got[i]);
    }
  }
}

TEST(Statistics, SumKeepsSmallValuesBesideLargeOnes) {
  std::vector<double> values(10'001, 1e-16);
  values[0] = 1;
  EXPECT_EQ(mean(values) * 10'001, 1 + 1e-12);
}

TEST(Statistics, BadSamplesAreErrorsThatNameTheValue) {
  const std::vector<double> two = {1, 2};
  EXPECT_THROW(mean({}), Error);
  EXPECT_THROW(quantile({}, 0.5), Error);
  EXPECT_THROW(quantile(two, 1.1), Error);
  EXPECT_THROW(quantile(two, std::nan("")), Error);
  EXPECT_THROW(standard_deviation(std::vector<double>{1}), Error);
  EXPECT_THROW(mean(std::vector<double>{1.7e308, 1.7e308}), Error);
  EXPECT_THROW(quantile(std::vector<double>{1, -INFINITY}, 0.5), Error);
  try {
    mean(std::vector<double>{1, 2, std::nan("")});
    FAIL() << "NaN was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "mean: value 2 of 3 is nan, not a finite number");
  }
}

}  // namespace
}  // namespace cuset::base
