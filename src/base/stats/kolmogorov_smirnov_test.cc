#include "base/stats/kolmogorov_smirnov.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/json/json.h"
#include "base/stats/random.h"

namespace cuset::base {
namespace {

const Json& reference() {
  static const Json value = read_json_file("testdata/statistics/kolmogorov_smirnov.json");
  return value;
}

// A list of values, or the formula that make_reference.py describes.
std::vector<double> sample_of(const Json& sample) {
  if (sample.is_array()) return sample.get<std::vector<double>>();
  std::vector<double> values(sample["count"].get<size_t>());
  const int64_t multiplier = sample["multiplier"];
  const int64_t offset = sample["offset"];
  const int64_t modulus = sample["modulus"];
  const int64_t shift = sample["shift"];
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>((static_cast<int64_t>(i) * multiplier + offset) % modulus + shift);
  }
  return values;
}

TEST(SmirnovTest, ExactValuesMatchTheReference) {
  for (const auto& row : reference()["cases"]) {
    const SmirnovTest test = smirnov_test(sample_of(row["a"]), sample_of(row["b"]));
    const double p = row["p"];
    const double log_p = row["log_p"];
    EXPECT_TRUE(test.exact);
    EXPECT_DOUBLE_EQ(test.statistic, row["statistic"].get<double>()) << row["name"];
    EXPECT_NEAR(test.p_value, p, 1e-11 * p + std::numeric_limits<double>::denorm_min()) << row["name"];
    EXPECT_NEAR(test.log_p_value, log_p, 1e-11) << row["name"];
  }
}

TEST(SmirnovTest, IsSymmetricAndIgnoresOrder) {
  RandomStream stream(1, "ks");
  std::vector<double> a(40), b(70);
  for (double& x : a) x = static_cast<double>(stream.below(20));
  for (double& x : b) x = static_cast<double>(stream.below(25));
  const SmirnovTest one = smirnov_test(a, b);
  stream.shuffle(std::span(a));
  const SmirnovTest other = smirnov_test(b, a);
  EXPECT_EQ(one.statistic, other.statistic);
  EXPECT_EQ(one.p_value, other.p_value);
}

TEST(SmirnovTest, PValuesOfEqualSamplesAreUniform) {
  RandomStream stream(2, "ks");
  constexpr int kTests = 4000;
  int below_tenth = 0;
  int below_half = 0;
  for (int i = 0; i < kTests; ++i) {
    std::vector<double> a(60), b(83);
    for (double& x : a) x = stream.normal();
    for (double& x : b) x = stream.normal();
    const double p = smirnov_test(a, b).p_value;
    below_tenth += p <= 0.1;
    below_half += p <= 0.5;
  }
  EXPECT_NEAR(below_tenth, 0.1 * kTests, 5 * std::sqrt(0.09 * kTests));
  EXPECT_NEAR(below_half, 0.5 * kTests, 5 * std::sqrt(0.25 * kTests));
}

TEST(SmirnovTest, AsymptoticValuesApproachTheExactOnes) {
  RandomStream stream(3, "ks");
  std::vector<double> a(4000), b(5000);
  for (double& x : a) x = stream.normal();
  for (double& x : b) x = stream.normal() + 0.03;
  const SmirnovTest exact = smirnov_test(a, b);
  const SmirnovTest asymptotic = smirnov_test(a, b, 0);
  EXPECT_TRUE(exact.exact);
  EXPECT_FALSE(asymptotic.exact);
  EXPECT_EQ(exact.statistic, asymptotic.statistic);
  EXPECT_NEAR(asymptotic.p_value, exact.p_value, 0.05 * exact.p_value);
}

TEST(SmirnovTest, KolmogorovSeriesMatchesMpmath) {
  for (const auto& row : reference()["limit"]) {
    const double want = row[1];
    EXPECT_NEAR(kolmogorov_log_survival(row[0]), want, 4e-16 * std::abs(want) + 1e-15) << row;
  }
  EXPECT_EQ(kolmogorov_log_survival(0), 0);
}

TEST(SmirnovTest, InfinitiesAreOrdinaryValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> a = {-infinity, 0, infinity};
  const std::vector<double> b = {-infinity, 0, infinity, infinity};
  EXPECT_EQ(smirnov_test(a, b).statistic,
            smirnov_test(std::vector<double>{-9, 0, 9}, std::vector<double>{-9, 0, 9, 9}).statistic);
}

TEST(SmirnovTest, BadSamplesAreErrorsThatNameTheValue) {
  const std::vector<double> good = {1, 2};
  const std::vector<double> bad = {1, std::nan("")};
  EXPECT_THROW(smirnov_test({}, good), Error);
  EXPECT_THROW(smirnov_test(good, {}), Error);
  EXPECT_THROW(kolmogorov_log_survival(-1), Error);
  EXPECT_THROW(kolmogorov_log_survival(std::nan("")), Error);
  try {
    smirnov_test(good, bad);
    FAIL() << "NaN was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "Kolmogorov-Smirnov: value 1 of 2 in sample b is NaN");
  }
}

}  // namespace
}  // namespace cuset::base
