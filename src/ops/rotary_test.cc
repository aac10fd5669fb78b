#include "ops/rotary.h"

#include "base/error.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

TEST(Rotary, TurnsPairsOfColumnsByPositionTimesFrequency) {
  const auto frequencies = torch::tensor({1.0, 0.5}, torch::kFloat64);
  const auto angles = rotary_angles(frequencies, torch::tensor({0, 2}, torch::kInt64));
  const auto x = torch::tensor({1.0, 0.0, 0.0, 1.0}, torch::kFloat64).repeat({2, 1}).view({2, 1, 4});
  const auto y = rotate(x, angles);
  EXPECT_TRUE(torch::equal(y[0], x[0]));
  const auto at = [&](int64_t column) { return y[1][0][column].item<double>(); };
  EXPECT_NEAR(at(0), std::cos(2.0), 1e-7);  // angles are kept in float32
  EXPECT_NEAR(at(2), std::sin(2.0), 1e-7);
  EXPECT_NEAR(at(1), -std::sin(1.0), 1e-7);
  EXPECT_NEAR(at(3), std::cos(1.0), 1e-7);
}

void compare(const support::Place& place, int64_t tokens, int64_t heads, int64_t dim) {
  torch::manual_seed(7);
  const auto frequencies = torch::rand({dim / 2}, torch::kFloat64);
  const auto positions = torch::arange(tokens, torch::kInt64) * 100;
  auto x = torch::randn({tokens, heads, dim}).to(place.device, place.type).requires_grad_();
  auto oracle_x = x.detach().to(torch::kCPU, torch::kFloat64).requires_grad_();
  const auto dy = torch::randn({tokens, heads, dim}).to(place.device, place.type);
  const auto y = rotate(x, rotary_angles(frequencies, positions.to(place.device)));
  const auto wanted = rotate_reference(oracle_x, rotary_angles(frequencies, positions));
  y.backward(dy);
  wanted.backward(dy.to(torch::kCPU, torch::kFloat64));
  if (tokens == 0) return;
  EXPECT_LT(support::relative_error(y, wanted), place.limit);
  EXPECT_LT(support::relative_error(x.grad(), oracle_x.grad()), place.limit);
}

TEST(Rotary, ValuesAndGradientsEqualTheReference) {
  for (const support::Place& place : support::cpu_places()) compare(place, 5, 3, 8);
  for (const int64_t dim : {2, 6, 14, 34, 128}) compare(support::cpu_places()[1], 70, 3, dim);
  compare(support::cpu_places()[1], 0, 3, 8);
}

TEST(Rotary, WrongShapesAreRefused) {
  const auto angles = rotary_angles(torch::ones({2}), torch::arange(3));
  EXPECT_THROW(rotate(torch::ones({3, 1, 6}), angles), base::CheckFailure);
  EXPECT_THROW(rotate(torch::ones({4, 1, 4}), angles), base::CheckFailure);
}

TEST(RotaryGpu, ValuesAndGradientsEqualTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  for (const support::Place& place : support::gpu_places()) {
    compare(place, 5, 3, 6);
    compare(place, 77, 28, 128);
    compare(place, 1, 1, 2);
  }
}

TEST(Rotary, SineAndCosineTakeAFactor) {
  const auto frequencies = torch::tensor({1.0, 0.1}, torch::kFloat64), positions = torch::arange(5);
  auto x = torch::randn({5, 2, 4}, torch::kFloat64).requires_grad_(),
       plain = x.detach().clone().requires_grad_();
  const auto y = rotate(x, rotary_angles(frequencies, positions, 1.25));
  const auto unscaled = rotate(plain, rotary_angles(frequencies, positions));
  EXPECT_LT(support::relative_error(y, unscaled * 1.25), 1e-6);
  const auto dy = torch::randn_like(y);
  y.backward(dy);
  unscaled.backward(dy);
  EXPECT_LT(support::relative_error(x.grad(), plain.grad() * 1.25), 1e-6);
}

}  // namespace
}  // namespace cuset::ops
