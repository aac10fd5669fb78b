// Low-rank adapters on the CPU in float32, fused over blocks of rows: the dropout mask of a row is drawn once
// per pass, and what is dropped never leaves the cache. Products with one side of 8 or 16 suit no library.
#pragma once

#include <torch/types.h>

#include "ops/linear.h"

namespace cuset::ops {

bool has_lora_cpu_loops(const torch::Tensor& x, const LinearWeights& layer);

struct LoraOutput {
  torch::Tensor xa;  // [tokens, rank], drop(x) A^T
  torch::Tensor y;   // [tokens, out], bias + scale * xa B^T
};

// x is contiguous.
LoraOutput lora_forward_cpu(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout);

struct LoraBackward {
  torch::Tensor dy;  // [tokens, out], contiguous
  torch::Tensor x;   // [tokens, in], contiguous
  torch::Tensor xa;  // [tokens, rank], as the forward gave it
};

// Adds to the gradients of A and B where they are trained, and drop(scale * dy B A) to dx, which it makes
// where it is undefined.
void lora_backward_cpu(const LoraBackward& saved, const LinearWeights& layer, const Dropout& dropout,
                       torch::Tensor& dx);

}  // namespace cuset::ops
