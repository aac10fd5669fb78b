#include "base/stats/repeatable_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/json/json.h"
#include "base/stats/random.h"

namespace cuset::base {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Json& reference() {
  static const Json value = read_json_file("testdata/statistics/repeatable_math.json");
  return value;
}

// Distance in units of the last place of `want`.
double ulps(double got, double want) {
  if (got == want) return 0;
  return std::abs(got - want) / (std::nextafter(std::abs(want), kInfinity) - std::abs(want));
}

// FNV-1a over the bits of many results: differs if any bit of any of them does.
class Digest {
 public:
  void add(double x) { value_ = (value_ ^ std::bit_cast<uint64_t>(x)) * 0x100000001B3; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xCBF29CE484222325;
};

TEST(RepeatableMath, LogAgreesWithMpmath) {
  for (const auto& row : reference()["log"]) EXPECT_LE(ulps(repeatable_log(row[0]), row[1]), 1) << row;
}

TEST(RepeatableMath, ExpAgreesWithMpmath) {
  for (const auto& row : reference()["exp"]) EXPECT_LE(ulps(repeatable_exp(row[0]), row[1]), 1) << row;
}

TEST(RepeatableMath, NormalQuantileAgreesWithMpmath) {
  for (const auto& row : reference()["normal_upper_quantile"]) {
    const double want = row[1];
    EXPECT_NEAR(normal_upper_quantile(row[0]), want, 1e-15 * want) << row;
  }
}

TEST(RepeatableMath, LogAndExpStayNearTheCLibrary) {
  RandomStream stream(1, "arguments");
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::ldexp(0.5 + 0.5 * stream.uniform(), static_cast<int>(stream.below(2000)) - 1000);
    ASSERT_LE(ulps(repeatable_log(x), std::log(x)), 2) << x;
    const double near_one = 0.5 + stream.uniform();
    ASSERT_LE(ulps(repeatable_log(near_one), std::log(near_one)), 2) << near_one;
    const double y = 1400 * stream.uniform() - 700;
    ASSERT_LE(ulps(repeatable_exp(y), std::exp(y)), 2) << y;
  }
}

TEST(RepeatableMath, EdgesOfTheRange) {
  EXPECT_EQ(repeatable_log(1), 0);
  EXPECT_EQ(repeatable_log(0), -kInfinity);
  EXPECT_EQ(repeatable_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(repeatable_log(-1)));
  EXPECT_TRUE(std::isnan(repeatable_log(std::nan(""))));
  EXPECT_EQ(repeatable_exp(0), 1);
  EXPECT_EQ(repeatable_exp(-kInfinity), 0);
  EXPECT_EQ(repeatable_exp(kInfinity), kInfinity);
  EXPECT_EQ(repeatable_exp(709.8), kInfinity);
  EXPECT_TRUE(std::isnan(repeatable_exp(std::nan(""))));
  EXPECT_EQ(normal_upper_quantile(0.5), 0);
  EXPECT_THROW(normal_upper_quantile(0), CheckFailure);
  EXPECT_THROW(normal_upper_quantile(0.6), CheckFailure);
}

TEST(RepeatableMath, EveryBitIsFixed) {
  RandomStream stream(2, "arguments");
  Digest logs, exps, quantiles;
  for (int i = 0; i < 100'000; ++i) {
    const double u = stream.uniform();
    logs.add(repeatable_log(u + 0x1p-60));
    exps.add(repeatable_exp(1400 * u - 700));
    quantiles.add(normal_upper_quantile(u / 2 + 0x1p-60));
  }
  EXPECT_EQ(logs.value(), 16640411238252850468u);
  EXPECT_EQ(exps.value(), 12313733166795810278u);
  EXPECT_EQ(quantiles.value(), 1035648409270946776u);
}

}  // namespace
}  // namespace cuset::base
