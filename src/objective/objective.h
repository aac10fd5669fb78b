// The training objectives over one fused head (ops/head.h). docs/objectives.md has the formulas and their
// sources.
//
//   loss of a step = sum over supervised tokens of W_t * CE_t  (+ alpha * KL for ASFT), divided by a
//   normaliser SFT     W = 1 DFT     W = p EAFT    W = (H20 / 3)^a ProFit  W = 1[p >= tau] ASFT    W = p,
//   plus alpha * KL(reference || policy); the reference is the same model with its adapter off CuSeT   W =
//   w_n * (1[p > tau] + lambda * C),  w_n = 1 - the lowest window confidence of the sample
// No gradient flows through W. Each part of CuSeT can be switched off; without the confidence mask its term
// is 1... (see docs/objectives.md for what the parts mean alone).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/parameter.h"

namespace cuset {

enum class Method { kSft, kDft, kEaft, kProFit, kAsft, kCuset };

// "sft", "dft", "eaft", "profit", "asft", "cuset".
std::string_view name_of(Method method);
// Throws UsageError naming the nearest method.
Method method_named(std::string_view name);

struct ObjectiveSettings {
  Method method = Method::kCuset;
  double tau = 0.1;             // ProFit, CuSeT
  double tau_ramp = 0;          // share of the run over which tau rises linearly from 0; 0: constant
  double lambda = 1.0;          // CuSeT: weight of the CUDA mask
  int64_t window = 256;         // CuSeT: l
  bool confidence_mask = true;  // CuSeT's parts
  bool cuda_mask = true;
  bool sample_weight = true;
  double entropy_exponent = 1;  // EAFT: a
  double divergence = 0.1;      // ASFT: alpha

  bool needs_reference() const { return method == Method::kAsft; }
  // tau at a point of the run, `progress` in [0, 1].
  double tau_at(double progress) const;
};

// The supervised tokens of a pack. Row r predicts token positions[r] + 1 of the pack from the hidden state at
// positions[r].
struct SupervisedRows {
  torch::Tensor positions;             // [rows] int64, rising
  torch::Tensor targets;               // [rows] int64
  torch::Tensor is_cuda;               // [rows] bool: the CUDA mask C
  std::vector<int64_t> borders = {0};  // sample i of the pack has rows borders[i] .. borders[i + 1]
  torch::Tensor data_weights;          // [samples] float32: the weights that the data gives its samples
};

// What one micro-batch contributes. Sums are over supervised tokens, on the rows' device until asked for.
struct ObjectiveResult {
  torch::Tensor
      hidden_gradient;     // [tokens, hidden] of sum(W CE) + alpha sum(KL), not yet divided by the normaliser
  torch::Tensor loss_sum;  // float64 scalars
  torch::Tensor weight_sum;  // of W
  torch::Tensor cross_entropy_sum;
  torch::Tensor confidence_sum;
  torch::Tensor masked_in_sum;   // tokens with W > 0
  torch::Tensor correct_sum;     // tokens that the model would choose itself
  torch::Tensor sample_weights;  // [samples] w_n (1 where the method has none)
  torch::Tensor lowest_window;  // [samples] int64: row, counted from the sample's first, at the centre of its
                                // lowest window
  torch::Tensor row_loss;       // [rows] float32, W CE (+ alpha KL), for naming offending samples
  int64_t rows = 0;
};

struct ObjectiveInput {
  torch::Tensor hidden;            // [tokens, width], detached
  torch::Tensor reference_hidden;  // [tokens, width] for ASFT, else undefined
  Parameter head;
  double progress = 0;  // of the run, in [0, 1]
  bool gradient = true;
  double gradient_scale = 1;  // multiplies hidden_gradient and the head's gradient, as 1 / N
};

ObjectiveResult evaluate_objective(const ObjectiveSettings& settings, const ObjectiveInput& input,
                                   const SupervisedRows& rows);

// Window confidence of every row of one sample: mean of p over rows max(1, t - floor(l/2)) .. min(T, t +
// ceil(l/2) - 1), t counted from 1. [T] in p's type; float64 sums.
torch::Tensor window_confidence(const torch::Tensor& p, int64_t window);

}  // namespace cuset
