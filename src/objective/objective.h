// The training objectives over one fused head (ops/linear_cross_entropy.h). docs/objectives.md has the
// formulas and their sources.
//
//   loss of a step = sum over supervised tokens of W CE  (+ alpha KL for ASFT), divided by N, the
//   loss denominator
//
//   SFT     W = 1
//   DFT     W = p
//   EAFT    W = (H20 / 3)^a
//   ProFit  W = 1[p >= tau]
//   ASFT    W = p, plus alpha KL(reference || policy); the reference is the same model with its adapter off
//   CuSeT   W = w_n (1[p > tau] + lambda C),  w_n = 1 - the lowest window confidence of the sample
//   CuSeT+  W = w_n 1[accepted] (1 + lambda C), windows of accepted tokens only (accepted_tokens.h)
//
// No gradient flows through W. The weight that the data gives to a sample multiplies its W and its alpha. Where
// nobody vouches for a sample, lambda C is 0: its kernels get no more weight than its other tokens.
// A part of CuSeT that is switched off leaves the value that changes nothing:
//   confidence_mask off   1 in place of 1[p > tau]: no token is refused
//   cuda_mask off         0 in place of lambda C
//   sample_weight off     1 in place of w_n
// So all three off is SFT, the confidence mask alone is ProFit (up to > and >=), the CUDA mask alone is
// W = 1 + lambda C.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "objective/sample_weights.h"
#include "objective/settings.h"
#include "ops/parameter.h"

namespace cuset::objective {

// The supervised tokens of a pack. Row r predicts token positions[r] + 1 of the pack from the hidden state at
// positions[r]. All tensors lie on the device of the hidden states.
struct SupervisedRows {
  torch::Tensor positions;             // [rows] int64, rising
  torch::Tensor targets;               // [rows] int64
  torch::Tensor is_cuda;               // [rows] bool: the CUDA mask C
  std::vector<int64_t> borders = {0};  // sample i of the pack has rows borders[i] .. borders[i + 1]
  torch::Tensor data_weights;          // [samples] float32: the weights that the data gives its samples
  torch::Tensor vouched;               // [samples] bool: where false, C counts as 0; undefined: true for all

  int64_t samples() const { return static_cast<int64_t>(borders.size()) - 1; }
};

// What one micro-batch contributes. Sums are over supervised tokens: float64 scalars on the rows' device,
// which nothing here waits for.
struct ObjectiveResult {
  torch::Tensor hidden_gradient;    // [tokens, width] of gradient_scale (sum(W CE) + alpha sum(KL)), in the
                                    // hidden states' type; undefined unless asked for
  torch::Tensor loss_sum;           // of W CE (+ alpha KL)
  torch::Tensor weight_sum;         // of W
  torch::Tensor cross_entropy_sum;  // of CE
  torch::Tensor confidence_sum;     // of p
  torch::Tensor masked_in_sum;      // tokens with W > 0
  torch::Tensor correct_sum;        // tokens that the model would choose itself
  torch::Tensor sample_weights;     // [samples] float64 w_n (1 where the method has none)
  torch::Tensor lowest_window;      // [samples] int64: row, counted from the sample's first, at the center of
                                    // its lowest window
  torch::Tensor row_weight;         // [rows] W
  torch::Tensor divergence_weight;  // [rows] alpha of every row for ASFT, else undefined
  torch::Tensor row_loss;           // [rows] W CE (+ alpha KL), for naming offending samples
  int64_t rows = 0;
};

struct ObjectiveInput {
  torch::Tensor hidden;            // [tokens, width], detached
  torch::Tensor reference_hidden;  // [tokens, width] for ASFT, else undefined
  ops::Parameter head;             // [vocab, width]; where trained, its gradient is added to head.gradient
  double progress = 0;             // of the run, in [0, 1]
  bool gradient = true;
  double gradient_scale = 1;  // multiplies hidden_gradient and the head's gradient, as 1 / N
};

// A pack without rows gives zeros. The settings must have passed ObjectiveSettings::check.
ObjectiveResult evaluate_objective(const ObjectiveSettings& settings, const ObjectiveInput& input,
                                   const SupervisedRows& rows);

}  // namespace cuset::objective
