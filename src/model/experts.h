// The feed-forward block of a sparse layer: a router sends every token to a few of many experts, each a SwiGLU block
// of its own (Shazeer et al., "Outrageously large neural networks", 2017).
//
//   p = softmax(router(x))           over all experts, in float32
//   e_1 .. e_k, w_1 .. w_k           the k largest of p; where the model says so, w divided by their sum
//   y = sum over i of w_i * down_e_i(silu(gate_e_i(x)) * up_e_i(x))
//
// Tokens are sorted by expert, so that an expert is one product over all its tokens. The gradient of x goes
// through the experts and through w; which experts were chosen has none.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "ops/linear.h"

namespace cuset::model {

struct RoutingRule {
  int64_t experts_per_token = 1;
  bool normalized = false;  // the weights of a token add up to 1
};

struct Routing {
  torch::Tensor experts;  // [tokens, k] int64, the best first
  torch::Tensor weights;  // [tokens, k], in the type of the logits
};

// `logits` [tokens, experts] of the router. Differentiable in them.
Routing route(const torch::Tensor& logits, const RoutingRule& rule);

// Pairs of a token and one of its experts. Pair p of the unsorted ones is token p / k with its expert number p % k.
struct SortedPairs {
  torch::Tensor
      order;  // [tokens * k] int64: the unsorted pairs in the order of their experts, then of tokens
  std::vector<int64_t> counts;  // pairs of every expert
};

// `chosen` [tokens, k] of `experts`. Waits for the device, to count.
SortedPairs sort_by_expert(const torch::Tensor& chosen, int64_t experts);

// Operations keep pointers to these for the backward, as to those of LayerWeights.
struct ExpertWeights {
  ops::LinearWeights gate, up, down;
};

// x [tokens, hidden] -> [tokens, hidden]. Differentiable in x; gradients of weights go to their Parameters.
torch::Tensor expert_block(const torch::Tensor& x, const ops::LinearWeights& router,
                           const std::vector<ExpertWeights>& experts, const RoutingRule& rule);

}  // namespace cuset::model
