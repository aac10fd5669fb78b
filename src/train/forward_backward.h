// Forward and backward of one micro-batch: the inner part of training, the same for `cuset train` and `cuset
// bench train`.
//
//   1. hidden states of the pack (for ASFT also those of the base model, its adapter off)
//   2. objective over the fused head: metrics, and the gradient of the hidden states
//   3. backward through the decoder, which adds to the gradients of trained()
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "data/example.h"
#include "model/decoder.h"
#include "objective/objective.h"

namespace cuset::train {

// A micro-batch as the model and the objective take it: examples one after another on the device, positions
// from 0 in each, the tokens that are learned, and a dropout key per token.
struct TrainingBatch {
  model::TokenBatch tokens;
  objective::SupervisedRows rows;
};

// `turns` are the examples' numbers among all turns of the run (train/data_order.h); empty where nothing is
// dropped.
TrainingBatch make_training_batch(const std::vector<const data::Example*>& examples,
                                  const std::vector<uint64_t>& turns, torch::Device device);

struct ForwardBackwardOptions {
  objective::ObjectiveSettings objective;
  double dropout = 0;  // of the adapters' inputs
  uint64_t dropout_seed = 0;
  bool recompute = false;     // activations are computed again in the backward
  double progress = 0;        // of the run, in [0, 1]
  double gradient_scale = 1;  // 1 / N of the whole step
};

// Adds gradient_scale times the gradient of the micro-batch to decoder.trained().gradient(). The result's
// sums are not scaled, and its hidden_gradient is released.
objective::ObjectiveResult forward_backward(model::Decoder& decoder, const TrainingBatch& batch,
                                            const ForwardBackwardOptions& options);

// The same metrics without gradients or dropout.
objective::ObjectiveResult evaluate(model::Decoder& decoder, const TrainingBatch& batch,
                                    const ForwardBackwardOptions& options);

}  // namespace cuset::train
