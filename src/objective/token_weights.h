// The weight that an objective gives to the loss of each token, before any weight of its sample:
//
//   SFT 1    DFT, ASFT p    EAFT (H20 / 3)^a    ProFit 1[p >= tau]    CuSeT 1[p > tau] + lambda C
//   CuSeT+ 1[accepted] (1 + lambda C)
//
// p and tau are compared as logarithms, so that tau = 0 lets in every token, also those whose p is too small
// for a float.
#pragma once

#include <torch/types.h>

#include "objective/settings.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::objective {

// [rows], in the type of metrics.log_probability. EAFT needs metrics.entropy, CuSeT+ needs `accepted` (accepted_tokens.h).
torch::Tensor token_weights(const ObjectiveSettings& settings, double tau,
                            const ops::LinearCrossEntropy& metrics,
                            const torch::Tensor& is_cuda,         // [rows] bool; false where not vouched for
                            const torch::Tensor& accepted = {});  // [rows] bool

}  // namespace cuset::objective
