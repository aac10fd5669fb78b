#include "ops/cpu/row_loops.h"

#include <cmath>
#include <limits>

#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// silu(x) * 1 in float64.
double silu(double x) { return x / (1 + std::exp(-x)); }

TEST(RowLoops, ExponentialIsExactToTheLastPlaces) {
  std::vector<float> gate, up, h;
  for (float x = -85; x < 85; x += 0.0173f) gate.push_back(x);
  up.assign(gate.size(), 1);
  h.resize(gate.size());
  swiglu_row(gate.data(), up.data(), static_cast<int64_t>(gate.size()), h.data());
  for (size_t i = 0; i < gate.size(); ++i) {
    const double wanted = silu(gate[i]);
    EXPECT_LT(std::abs(h[i] - wanted), 4e-7 * std::abs(wanted) + 1e-37) << gate[i];
  }
}

TEST(RowLoops, GatesBeyondTheExponentialsRange) {
  std::vector<float> gate = {-1e30f, -200, 0, 200, 1e30f, NAN};
  const std::vector<float> up(6, 2);
  std::vector<float> h(6);
  swiglu_row(gate.data(), up.data(), 6, h.data());
  EXPECT_EQ(std::vector<float>(h.begin(), h.begin() + 5), (std::vector<float>{0, 0, 0, 400, 2e30f}));
  EXPECT_TRUE(std::isnan(h[5]));
}

TEST(RowLoops, SoftmaxOfFarApartAndNonFiniteLogits) {
  std::vector<float> z = {0, -1000, -kInfinity, 0};
  const SoftmaxRow row = softmax_row(z.data(), 4, 3, true);
  EXPECT_FLOAT_EQ(row.log_probability, std::log(0.5f));
  EXPECT_EQ(row.best_log_probability, row.log_probability);
  EXPECT_FALSE(row.is_likeliest);
  EXPECT_EQ(z, (std::vector<float>{0.5f, 0, 0, -0.5f}));
  for (const float bad : {NAN, kInfinity}) {
    std::vector<float> logits = {0, bad, 1};
    EXPECT_TRUE(std::isnan(softmax_row(logits.data(), 3, 0, false).log_probability));
  }
}

TEST(RowLoops, ExponentialsBelowTheLargest) {
  const std::vector<float> z = {3, 5, -kInfinity, 4, 5};
  std::vector<float> y(z.size());
  const float sum = exponentials_row(z.data(), 5, 2, y.data());
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], 0);
  EXPECT_EQ(y[4], 1);
  EXPECT_FLOAT_EQ(y[0], std::exp(-4.0f));
  EXPECT_FLOAT_EQ(y[3], std::exp(-2.0f));
  EXPECT_FLOAT_EQ(sum, 2 + std::exp(-4.0f) + std::exp(-2.0f));
  for (const float bad : {NAN, kInfinity}) {
    const std::vector<float> logits = {0, bad, 1};
    EXPECT_TRUE(std::isnan(exponentials_row(logits.data(), 3, 1, y.data())));
  }
}

}  // namespace
}  // namespace cuset::ops
