#include "model/experts.h"

#include "base/error.h"
#include "ops/wide_type.h"

namespace cuset::model {
namespace {

torch::Tensor apply_expert(const torch::Tensor& x, const ExpertWeights& expert) {
  const auto gate_up = ops::linears(x, {&expert.gate, &expert.up}, {});
  return ops::swiglu_linear(gate_up[0], gate_up[1], expert.down, {});
}

}  // namespace

SortedPairs sort_by_expert(const torch::Tensor& chosen, int64_t experts) {
  const auto flat = chosen.detach().flatten();
  const auto order = torch::argsort(flat, /*stable=*/true, /*dim=*/0, /*descending=*/false);
  const auto numbers = torch::arange(experts, order.options()).unsqueeze(1);
  const auto counts = flat.unsqueeze(0).eq(numbers).sum(1).to(torch::kCPU).contiguous();
  return {order, {counts.const_data_ptr<int64_t>(), counts.const_data_ptr<int64_t>() + experts}};
}

Routing route(const torch::Tensor& logits, const RoutingRule& rule) {
  CUSET_CHECK(logits.dim() == 2 && rule.experts_per_token >= 1 && rule.experts_per_token <= logits.size(1),
              "{} experts of {}", rule.experts_per_token, c10::str(logits.sizes()));
  const auto probabilities = logits.to(ops::wide_type(logits.scalar_type())).softmax(1);
  const auto [best, experts] = probabilities.topk(rule.experts_per_token, /*dim=*/1);
  const auto weights = rule.normalized ? best / best.sum(1, /*keepdim=*/true) : best;
  return {experts, weights.to(logits.scalar_type())};
}

torch::Tensor expert_block(const torch::Tensor& x, const ops::LinearWeights& router,
                           const std::vector<ExpertWeights>& experts, const RoutingRule& rule) {
  const int64_t tokens = x.size(0), width = x.size(1), k = rule.experts_per_token;
  const Routing routing = route(ops::linear(x, router, {}), rule);
  const SortedPairs pairs = sort_by_expert(routing.experts, static_cast<int64_t>(experts.size()));
  // A copy of x for every pair, unsorted first: the gradient is then a sum over k in a fixed order.
  const auto inputs = x.unsqueeze(1).expand({tokens, k, width}).reshape({tokens * k, width});
  const auto parts = inputs.index_select(0, pairs.order).split_with_sizes(pairs.counts);
  std::vector<torch::Tensor> outputs;
  for (size_t e = 0; e < experts.size(); ++e) {
    if (pairs.counts[e] > 0) outputs.push_back(apply_expert(parts[e], experts[e]));
  }
  const auto places = torch::empty_like(pairs.order)
                          .index_put_({pairs.order}, torch::arange(tokens * k, pairs.order.options()));
  const auto by_token = torch::cat(outputs).index_select(0, places).view({tokens, k, width});
  return (by_token * routing.weights.unsqueeze(2)).sum(1);
}

}  // namespace cuset::model
