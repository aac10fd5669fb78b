// Linear layers with low-rank adapters (Hu et al., "LoRA", 2021):
//
//   y = x W^T + bias + s * drop(x) A^T B^T
//
// Gradients, with u = s * dy B and d = drop(x):
//   dx = dy W + drop(u A),  dA = u^T d,  dB = s * dy^T (d A^T),  dW = dy^T x,  dbias = sum of dy
// The base weight's gradient is formed only where it is trained; d is drawn again in the backward.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "ops/dropout.h"
#include "ops/parameter.h"

namespace cuset::ops {

struct LinearWeights {
  Parameter weight;  // [out, in]
  Parameter bias;    // [out], or undefined
  Parameter lora_a;  // [rank, in], or undefined: no adapter
  Parameter lora_b;  // [out, rank]
  double lora_scale = 0;
  uint32_t module = 0;  // tells its dropout mask apart

  bool has_adapter() const { return lora_a.is_defined(); }
};

// Several layers over the same input; their input gradients are added up inside the matrix products.
// Differentiable in x; gradients of the weights go to their Parameters. `layers` must outlive the backward.
std::vector<torch::Tensor> linears(const torch::Tensor& x,  // [tokens, in]
                                   const std::vector<const LinearWeights*>& layers, const Dropout& dropout);

torch::Tensor linear(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout);

// linear(silu(gate) * up), the second half of a SwiGLU block. Only gate and up are kept for the backward;
// their product, the widest tensor of a block, is formed again there.
torch::Tensor swiglu_linear(const torch::Tensor& gate,  // [tokens, in]
                            const torch::Tensor& up,    // [tokens, in]
                            const LinearWeights& layer, const Dropout& dropout);

// The same as `linear` in plain ATen operations with autograd: differentiable in x and in every `value`.
torch::Tensor linear_reference(const torch::Tensor& x, const LinearWeights& layer, const Dropout& dropout);

// gradient += scale * a^T b: the sum that every gradient of a matrix is, into the weight's own buffer. Sums of
// half types stay in the gradient's type on a GPU; the CPU has no such product.
void add_product(const torch::Tensor& gradient,  // [out, in]
                 const torch::Tensor& a,         // [tokens, out]
                 const torch::Tensor& b,         // [tokens, in]
                 double scale = 1);

}  // namespace cuset::ops
