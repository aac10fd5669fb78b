// The tokens that CuSeT+ learns from (docs/objectives.md). A token whose probability is at most tau is refused where
//
//   its neighbors are, too    more than `refused_share` of the sample's tokens of the same kind (kernels and launches, or the
//                             rest) are below tau: text that nobody could predict, not a step that the model has yet to learn
//   or the model is sure      of another token, with at least `conflict`: most likely a mistake
//
// A sample decides for itself, so that the gradient of a step does not depend on how samples are batched.
#pragma once

#include <torch/types.h>

#include "objective/sample_weights.h"
#include "objective/settings.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::objective {

// [rows] bool.
torch::Tensor accepted_tokens(const ObjectiveSettings& settings, double tau,
                              const ops::LinearCrossEntropy& metrics, const torch::Tensor& is_cuda,
                              const RowSegments& segments);

}  // namespace cuset::objective
