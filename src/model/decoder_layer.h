// One layer of the decoder: attention block, feed-forward block, two residual additions.
//
//   x += o(attention(rotate(norm_q(q(n))), rotate(norm_k(k(n))), v(n))),  n = norm(x)
//   x += down(silu(gate(m)) * up(m)),                                     m = norm(x)
// A sparse layer has experts in place of the second (model/experts.h).
//
// Every arrow of it is an operation of ops/, which is where kernels get fused.
#pragma once

#include <torch/types.h>

#include <memory>

#include "model/experts.h"
#include "model/files/config.h"
#include "ops/attention.h"
#include "ops/dropout.h"
#include "ops/linear.h"
#include "ops/parameter.h"
#include "ops/rotary.h"

namespace cuset::model {

inline constexpr uint32_t kLinearsPerLayer = 7;

// Operations keep pointers to these for the backward: they must not move between forward and backward.
struct LayerWeights {
  int64_t window = 0;  // tokens that attention sees (ops/attention.h)
  ops::Parameter input_norm;
  ops::LinearWeights q, k, v, o;
  ops::Parameter q_norm;  // Qwen3; else undefined
  ops::Parameter k_norm;
  ops::Parameter post_attention_norm;
  ops::LinearWeights gate, up, down;   // of a dense layer
  ops::LinearWeights router;           // of a sparse one
  std::vector<ExpertWeights> experts;  // empty: the layer is dense
};

// What all layers of one forward share.
struct LayerContext {
  ModelConfig config;
  ops::RotaryAngles angles;
  ops::Segments segments;
  ops::Dropout dropout;
};

// x [tokens, hidden] -> [tokens, hidden]. Differentiable in x; gradients of weights go to their Parameters.
torch::Tensor layer_forward(const torch::Tensor& x, const LayerWeights& weights, const LayerContext& context);

// The same values and gradients, keeping only x: the layer runs again in the backward (Chen et al., "Training
// deep nets with sublinear memory cost", 2016). `weights` must outlive the backward. `y`, if it is defined, holds the
// values already, computed elsewhere: then the layer runs in the backward alone.
torch::Tensor layer_recomputed(const torch::Tensor& x, const LayerWeights& weights,
                               const std::shared_ptr<const LayerContext>& context,
                               const torch::Tensor& y = {});

}  // namespace cuset::model
