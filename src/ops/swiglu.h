// The gate of a SwiGLU block (Shazeer, 2020): h = silu(gate) * up, silu(x) = x * sigmoid(x).
//
//   dup = dh * silu(gate),  dgate = dh * up * sigmoid(gate) * (1 + gate * (1 - sigmoid(gate)))
#pragma once

#include <torch/types.h>

namespace cuset::ops {

// Half types round silu(gate) before the product, as Hugging Face does. Not differentiable.
torch::Tensor swiglu(const torch::Tensor& gate, const torch::Tensor& up);

// The same for gate and up in one tensor [rows, 2 width], gate first: [rows, width].
torch::Tensor swiglu_joined(const torch::Tensor& gate_up);

// Turns gate and up, both contiguous, into their gradients in place.
void swiglu_backward_(torch::Tensor& gate, torch::Tensor& up, const torch::Tensor& dh);

}  // namespace cuset::ops
