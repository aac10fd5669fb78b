// What stands between two blocks of a decoder at inference: a residual addition and the next norm, in one
// pass.
//
//   x += delta                  rounded to x's type
//   y  = rms_norm(x, weight)    ops/rms_norm.h
#pragma once

#include <torch/types.h>

namespace cuset::ops {

// Changes x and returns y; x and delta [rows, width] are contiguous. One kernel on a GPU (float32 and
// bfloat16). Not differentiable.
torch::Tensor residual_norm(torch::Tensor& x, const torch::Tensor& delta, const torch::Tensor& weight,
                            double epsilon);

}  // namespace cuset::ops
