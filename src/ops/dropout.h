// Dropout whose mask is a function of what is dropped, not of when: replayed in the backward instead of
// stored, and the same however samples are split into packs, micro-batches and ranks.
//
//   bits  = philox4x32({column / 8, module, key low, key high}, seed)      8 times 16 bits for 8 columns
//   y     = x / (1 - p) where the column's 16 bits >= round(p * 65536), else 0
//
// A row's key names the sample's turn in the run and the token's place in the sample (DropoutKeys). `module`
// tells the masks of different layers apart.
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "ops/cpu/dropout_row.h"
#include "ops/gpu/dropout_gpu.h"

namespace cuset::ops {

struct Dropout {
  double probability = 0;  // 0: nothing is dropped and row_keys may be undefined
  uint64_t seed = 0;
  torch::Tensor row_keys;  // [tokens] int64, on the device

  bool is_on() const { return probability > 0; }
};

// The key of token `position` of the sample drawn as number `turn` of the run.
constexpr int64_t dropout_key(uint64_t turn, uint64_t position) {
  return static_cast<int64_t>(turn << 24 | (position & 0xffffff));
}

// x [tokens, width] with the mask of `module` applied; a new tensor. Not differentiable: its own backward is
// the same call on the gradient.
torch::Tensor drop(const torch::Tensor& x, const Dropout& dropout, uint32_t module);

// The same in place.
void drop_(torch::Tensor& x, const Dropout& dropout, uint32_t module);

// The mask of one row of x, whose keys are on the CPU, as its loops take it.
DropoutRow dropout_row(const Dropout& dropout, uint32_t module, int64_t row);

// The same mask as our CUDA kernels take it.
DropoutRows dropout_rows(const Dropout& dropout, uint32_t module);

// The factors 0 and 1 / (1 - p), [tokens, width] float32 on the CPU: the reference, element by element.
torch::Tensor dropout_factors_reference(const Dropout& dropout, uint32_t module, int64_t width);

}  // namespace cuset::ops
