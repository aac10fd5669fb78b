// Rotary position embedding (Su et al., 2021) in the "rotate half" form of Llama and Qwen: column i of a head
// turns with column i + dim/2 by the angle position * frequency[i].
//
//   y[i]         = x[i] cos - x[i + dim/2] sin
//   y[i + dim/2] = x[i + dim/2] cos + x[i] sin
// The gradient is the same with the opposite angle, also where sine and cosine have a common factor.
#pragma once

#include <torch/types.h>

namespace cuset::ops {

struct RotaryAngles {
  torch::Tensor cosine;  // [tokens, dim / 2] float32
  torch::Tensor sine;    // [tokens, dim / 2] float32
};

// `frequencies` [dim / 2] float64 or float32; `positions` [tokens] int64 on the device that the angles go to.
// Sine and cosine are multiplied by `factor`.
RotaryAngles rotary_angles(const torch::Tensor& frequencies, const torch::Tensor& positions,
                           double factor = 1);

// Differentiable in x. Computes in float32 (float64 for float64) and rounds once.
torch::Tensor rotate(const torch::Tensor& x,  // [tokens, heads, dim]
                     const RotaryAngles& angles);

torch::Tensor rotate_reference(const torch::Tensor& x, const RotaryAngles& angles);

}  // namespace cuset::ops
