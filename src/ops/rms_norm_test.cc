#include "ops/rms_norm.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

constexpr double kEpsilon = 1e-6;

TEST(RmsNorm, MatchesTheFormulaInFloat64) {
  const auto x = torch::tensor({{3.0, 4.0}, {-1.0, 0.0}}, torch::kFloat64);
  const auto weight = torch::tensor({2.0, 10.0}, torch::kFloat64);
  const auto y = rms_norm(x, {weight, {}}, 0.0);
  const double root = std::sqrt(12.5);
  EXPECT_NEAR(y[0][0].item<double>(), 2.0 * 3.0 / root, 1e-15);
  EXPECT_NEAR(y[0][1].item<double>(), 10.0 * 4.0 / root, 1e-15);
  EXPECT_NEAR(y[1][0].item<double>(), -2.0 * std::sqrt(2.0), 1e-15);
  EXPECT_EQ(y[1][1].item<double>(), 0.0);
}

TEST(RmsNorm, RoundsBeforeTheWeightAsHuggingFaceDoes) {
  torch::manual_seed(1);
  const auto x = torch::randn({5, 96}).to(torch::kBFloat16);
  const auto weight = torch::randn({96}).to(torch::kBFloat16);
  const auto wide = x.to(torch::kFloat32);
  const auto wanted =
      weight * (wide * torch::rsqrt(wide.pow(2).mean(-1, true) + kEpsilon)).to(torch::kBFloat16);
  EXPECT_TRUE(torch::equal(rms_norm(x, {weight, {}}, kEpsilon), wanted));
}

TEST(RmsNorm, GradientMatchesFiniteDifferences) {
  torch::manual_seed(2);
  auto x = torch::randn({3, 7}, torch::kFloat64).requires_grad_();
  const Parameter weight = support::trained(torch::randn({7}, torch::kFloat64));
  const auto direction = torch::randn({3, 7}, torch::kFloat64);
  (rms_norm(x, weight, kEpsilon) * direction).sum().backward();
  const auto loss = [&](const torch::Tensor& a, const torch::Tensor& b) {
    return (rms_norm_reference(a, b, kEpsilon) * direction).sum().item<double>();
  };
  const torch::NoGradGuard no_gradient;
  constexpr double step = 1e-6;
  for (int64_t i = 0; i < x.numel(); ++i) {
    auto offset = torch::zeros({21}, torch::kFloat64);
    offset[i] = step;
    offset = offset.view({3, 7});
    const double slope = (loss(x + offset, weight.value) - loss(x - offset, weight.value)) / (2 * step);
    EXPECT_NEAR(x.grad().view(-1)[i].item<double>(), slope, 1e-8);
  }
  for (int64_t i = 0; i < 7; ++i) {
    auto offset = torch::zeros({7}, torch::kFloat64);
    offset[i] = step;
    const double slope = (loss(x, weight.value + offset) - loss(x, weight.value - offset)) / (2 * step);
    EXPECT_NEAR(weight.gradient[i].item<double>(), slope, 1e-8);
  }
}

TEST(RmsNorm, WrongShapesAreRefused) {
  EXPECT_THROW(rms_norm(torch::ones({2, 3}), {torch::ones({4}), {}}, kEpsilon), base::CheckFailure);
  EXPECT_THROW(rms_norm(torch::ones({2, 3}), {torch::ones({3}, torch::kFloat64), {}}, kEpsilon),
               base::CheckFailure);
}

struct Case {
  std::vector<int64_t> shape;
  torch::ScalarType type;
};

// Values and gradients against a float64 oracle on the same rounded inputs.
void compare(const Case& tried, torch::Device device) {
  const auto& [shape, type] = tried;
  torch::manual_seed(3);
  const auto x = (3 * torch::randn(shape)).to(type);
  const auto weight = torch::randn({shape.back()}).to(type);
  const auto dy = torch::randn(shape).to(type);
  auto oracle_x = x.to(torch::kFloat64).requires_grad_();
  auto oracle_weight = weight.to(torch::kFloat64).requires_grad_();
  const auto oracle = rms_norm_reference(oracle_x, oracle_weight, kEpsilon);
  oracle.backward(dy.to(torch::kFloat64));

  auto own_x = x.to(device).detach().requires_grad_();
  const Parameter own_weight = support::trained(weight.to(device));
  const auto y = rms_norm(own_x, own_weight, kEpsilon);
  y.backward(dy.to(device));

  const double limit = type == torch::kFloat32 ? 1e-6 : 8e-3;
  EXPECT_LT(support::relative_error(y.detach(), oracle.detach()), limit);
  // dx is a difference of two terms of this size, which cancel in rows of one or two columns.
  const torch::NoGradGuard no_gradient;
  const auto term = dy * oracle_weight * torch::rsqrt(oracle_x.square().mean(-1, true) + kEpsilon);
  EXPECT_LT(support::relative_error(own_x.grad(), oracle_x.grad(), term), limit);
  EXPECT_LT(support::relative_error(own_weight.gradient, oracle_weight.grad()), limit);
}

TEST(RmsNorm, RowsOfEveryWidthEqualTheReference) {
  for (const int64_t width : {1, 7, 8, 17, 704}) {
    compare({{3, width}, torch::kFloat32}, torch::kCPU);
    compare({{130, width}, torch::kFloat32}, torch::kCPU);
    compare({{2, 5, width}, torch::kBFloat16}, torch::kCPU);
  }
}

TEST(RmsNorm, StridedRowsAndNoRows) {
  const Parameter weight = support::trained(torch::randn({5}));
  const auto x = torch::randn({5, 9}).t();
  EXPECT_TRUE(torch::equal(rms_norm(x, weight, kEpsilon), rms_norm(x.contiguous(), weight, kEpsilon)));
  EXPECT_EQ(rms_norm(torch::empty({0, 5}), weight, kEpsilon).numel(), 0);
}

class RmsNormGpu : public testing::TestWithParam<Case> {};

TEST_P(RmsNormGpu, MatchesTheReference) {
  CUSET_SKIP_WITHOUT_GPU();
  compare(GetParam(), torch::kCUDA);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RmsNormGpu,
                         testing::Values(Case{{1, 1}, torch::kFloat32}, Case{{3, 7}, torch::kFloat32},
                                         Case{{2, 5, 256}, torch::kFloat32},
                                         Case{{4100, 1000}, torch::kFloat32}, Case{{3, 7}, torch::kBFloat16},
                                         Case{{2, 5, 128}, torch::kBFloat16},
                                         Case{{4096, 3584}, torch::kBFloat16},
                                         Case{{33, 3585}, torch::kBFloat16}));

TEST(RmsNormGpu, FrozenWeightAndEmptyInput) {
  CUSET_SKIP_WITHOUT_GPU();
  const Parameter weight{torch::ones({64}, torch::kCUDA), {}};
  auto x = torch::randn({9, 64}, torch::kCUDA).requires_grad_();
  rms_norm(x, weight, kEpsilon).sum().backward();
  EXPECT_TRUE(x.grad().defined());
  EXPECT_EQ(rms_norm(torch::ones({0, 64}, torch::kCUDA), weight, kEpsilon).numel(), 0);
}

}  // namespace
}  // namespace cuset::ops
