// The fused linear cross-entropy: the language-model head and everything objectives want to know of it, in
// chunks of rows: the full logits [rows, vocab], gigabytes for a real model, never exist.
//
//   z = hidden W^T,  log p = z[target] - logsumexp(z)                        for every row
//   d(-log p) / dz = softmax(z) - onehot(target)                             written over z in place
//   d(-log p) / d hidden = (softmax(z) - onehot(target)) W
//
// The gradient of a weighted loss is linear in the weight of each row, so the head gives the gradient of the
// plain -log p and objectives scale its rows afterwards, when they know the weights: token weights that
// depend on p, sample weights that depend on a whole sample.
//
// With a temperature t, z / t takes the place of z in everything: what a sampler at that temperature draws from.
//
// With a reference (ASFT): q = softmax(reference_hidden W^T), KL(q || p) and its gradient (p - q) W as well.
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "ops/parameter.h"

namespace cuset::ops {

inline constexpr int64_t kEntropyTokens = 20;

struct LinearCrossEntropyOptions {
  bool gradient = true;                     // false: metrics only (evaluation, analysis)
  bool entropy = false;                     // of the softmax
  int64_t entropy_tokens = kEntropyTokens;  // over so many of the largest logits, renormalized; 0: all
  double temperature = 1;                   // above 0
  torch::Tensor reference_hidden = {};      // [rows, width], or undefined: no divergence
  int64_t chunk_rows = 0;                   // 0: chosen by the size of the vocabulary
};

// Metrics of all rows; those without a type or shape beside them are float32 [rows] (float64 for float64 input).
struct LinearCrossEntropy {
  torch::Tensor log_probability;       // log p of the target
  torch::Tensor best_log_probability;  // of the likeliest token; the same where that is the target
  torch::Tensor is_likeliest;  // [rows] bool: a greedy decoder would write the target. Of several likeliest
                               // tokens it writes the first, as argmax does.
  torch::Tensor entropy;       // of the softmax, as the options say; undefined unless asked
  torch::Tensor divergence;    // KL(reference || policy); undefined without a reference
  torch::Tensor hidden_gradient;      // [rows, width], of -log p; undefined unless asked
  torch::Tensor divergence_gradient;  // [rows, width], of the divergence; undefined without a reference
};

LinearCrossEntropy linear_cross_entropy(const torch::Tensor& hidden,   // [rows, width], detached
                                        const torch::Tensor& weight,   // [vocab, width]
                                        const torch::Tensor& targets,  // [rows] int64
                                        const LinearCrossEntropyOptions& options = {});

// Where the head itself is trained: adds the weight's gradient of
//   sum over rows of loss_weights * -log p + divergence_weights * divergence
// to weight.gradient, in a second pass over the chunks, since the weights of rows are known only after
// linear_cross_entropy.
struct HeadWeightGradient {
  torch::Tensor loss_weights;             // [rows] float32
  torch::Tensor divergence_weights = {};  // [rows] float32, or undefined: 0; needs options.reference_hidden
};
void add_head_weight_gradient(const torch::Tensor& hidden, const Parameter& weight,
                              const torch::Tensor& targets, const HeadWeightGradient& weights,
                              const LinearCrossEntropyOptions& options = {});

// The logits themselves, in float32, for few rows (generation, comparison): [rows, vocab].
torch::Tensor head_logits(const torch::Tensor& hidden, const torch::Tensor& weight);

// linear_cross_entropy in plain ATen operations over the full logits, with autograd for the gradients.
LinearCrossEntropy linear_cross_entropy_reference(const torch::Tensor& hidden, const torch::Tensor& weight,
                                                  const torch::Tensor& targets,
                                                  const LinearCrossEntropyOptions& options = {});

}  // namespace cuset::ops
