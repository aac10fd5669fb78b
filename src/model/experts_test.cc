#include "model/experts.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/utils.h>

#include "base/error.h"

namespace cuset::model {
namespace {

constexpr int64_t kHidden = 6, kInner = 5, kExperts = 7;

ops::LinearWeights random_linear(int64_t out, int64_t in) {
  ops::LinearWeights linear;
  linear.weight.value = torch::randn({out, in}, torch::kFloat64);
  return linear;
}

std::vector<ExpertWeights> random_experts() {
  std::vector<ExpertWeights> experts;
  for (int64_t e = 0; e < kExperts; ++e) {
    experts.push_back({.gate = random_linear(kInner, kHidden),
                       .up = random_linear(kInner, kHidden),
                       .down = random_linear(kHidden, kInner)});
  }
  return experts;
}

// Token by token, from the formula.
torch::Tensor by_formula(const torch::Tensor& x, const ops::LinearWeights& router,
                         const std::vector<ExpertWeights>& experts, const RoutingRule& rule) {
  std::vector<torch::Tensor> outputs;
  for (int64_t t = 0; t < x.size(0); ++t) {
    const auto p = torch::matmul(router.weight.value, x[t]).softmax(0);
    const auto order = p.argsort(/*dim=*/0, /*descending=*/true);
    torch::Tensor sum, total;
    for (int64_t i = 0; i < rule.experts_per_token; ++i) {
      const auto e = order[i].item<int64_t>();
      const ExpertWeights& expert = experts[static_cast<size_t>(e)];
      const auto gate = torch::matmul(expert.gate.weight.value, x[t]);
      const auto inner = gate * gate.sigmoid() * torch::matmul(expert.up.weight.value, x[t]);
      const auto part = torch::matmul(expert.down.weight.value, inner) * p[e];
      sum = sum.defined() ? sum + part : part;
      total = total.defined() ? total + p[e] : p[e];
    }
    outputs.push_back(rule.normalized ? sum / total : sum);
  }
  return torch::stack(outputs);
}

TEST(Experts, ValuesAndGradientsEqualTheFormula) {
  torch::manual_seed(3);
  const auto router = random_linear(kExperts, kHidden);
  const auto experts = random_experts();
  for (const RoutingRule rule : {RoutingRule{1, false}, RoutingRule{1, true}, RoutingRule{3, false},
                                 RoutingRule{3, true}, RoutingRule{kExperts, true}}) {
    auto x = torch::randn({9, kHidden}, torch::kFloat64).requires_grad_();
    auto oracle = x.detach().clone().requires_grad_();
    const auto y = expert_block(x, router, experts, rule);
    const auto wanted = by_formula(oracle, router, experts, rule);
    EXPECT_TRUE(torch::allclose(y, wanted, 1e-12, 1e-12)) << rule.experts_per_token << rule.normalized;
    const auto dy = torch::randn_like(wanted);
    y.backward(dy);
    wanted.backward(dy);
    EXPECT_TRUE(torch::allclose(x.grad(), oracle.grad(), 1e-10, 1e-10))
        << rule.experts_per_token << rule.normalized;
  }
}

TEST(Experts, OneTokenLeavesMostExpertsWithoutWork) {
  torch::manual_seed(4);
  const auto router = random_linear(kExperts, kHidden);
  const auto experts = random_experts();
  const auto x = torch::randn({1, kHidden}, torch::kFloat64);
  EXPECT_TRUE(torch::allclose(expert_block(x, router, experts, {2, true}),
                              by_formula(x, router, experts, {2, true})));
}

TEST(Routing, WeightsAreTheLargestProbabilities) {
  const auto logits = torch::log(torch::tensor({{0.1, 0.4, 0.2, 0.3}}, torch::kFloat64));
  const Routing plain = route(logits, {2, false}), normalized = route(logits, {2, true});
  EXPECT_TRUE(torch::equal(plain.experts, torch::tensor({{1, 3}}, torch::kInt64)));
  EXPECT_TRUE(torch::allclose(plain.weights, torch::tensor({{0.4, 0.3}}, torch::kFloat64)));
  EXPECT_TRUE(torch::allclose(normalized.weights, torch::tensor({{4.0 / 7, 3.0 / 7}}, torch::kFloat64)));
  EXPECT_EQ(route(logits.to(torch::kBFloat16), {2, true}).weights.scalar_type(), torch::kBFloat16);
  EXPECT_THROW(route(logits, {5, true}), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::model
