// Root-mean-square normalization (Zhang and Sennrich, 2019), as Llama and Qwen use it before every block:
//
//   r = 1 / sqrt(mean(x^2) + epsilon)      per row, in float32
//   y = round_to_x(x * r) * weight         rounded to x's type before the weight, as Hugging Face does
//
// Gradients, with g = dy * weight and h = x * r:
//   dx = r * (g - h * mean(g * h)),  dweight = sum over rows of dy * round_to_x(h)
#pragma once

#include <torch/types.h>

#include "ops/parameter.h"

namespace cuset::ops {

// Differentiable in x; the weight's gradient goes to its Parameter. One fused kernel on a GPU (float32 and
// bfloat16), fused loops on the CPU (float32), ATen elsewhere.
torch::Tensor rms_norm(const torch::Tensor& x,   // [..., width]
                       const Parameter& weight,  // [width], of x's type
                       double epsilon);

// The same in plain ATen operations with autograd, on any device and type: the reference.
torch::Tensor rms_norm_reference(const torch::Tensor& x, const torch::Tensor& weight, double epsilon);

// What stands between two blocks of a decoder at inference, in one pass: x += delta, rounded to x's type, and
// then the next norm of x, which is returned. x and delta are contiguous. One kernel on a GPU (float32 and
// bfloat16). Not differentiable.
torch::Tensor residual_norm(torch::Tensor& x,             // [tokens, width]
                            const torch::Tensor& delta,   // [tokens, width]
                            const torch::Tensor& weight,  // [width]
                            double epsilon);

}  // namespace cuset::ops
