// A micro-batch as the model and the objective take it: examples one after another on the device, positions
// from 0 in each, the tokens that are learned, and a dropout key per token.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "data/example.h"
#include "model/decoder.h"
#include "objective/objective.h"

namespace cuset::train {

struct TrainingBatch {
  model::TokenBatch tokens;
  objective::SupervisedRows rows;
};

// `turns` are the examples' numbers among all turns of the run (train/data_order.h); empty where nothing is
// dropped.
TrainingBatch make_training_batch(const std::vector<const data::Example*>& examples,
                                  const std::vector<uint64_t>& turns, torch::Device device);

}  // namespace cuset::train
