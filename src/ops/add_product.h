// The sum that every gradient of a matrix is: over rows of activations, into the weight's own buffer.
#pragma once

#include <torch/types.h>

namespace cuset::ops {

// gradient += scale * a^T b. Sums of half types stay in the gradient's type on a GPU; the CPU has no such
// product.
void add_product(const torch::Tensor& gradient,  // [out, in]
                 const torch::Tensor& a,         // [rows, out]
                 const torch::Tensor& b,         // [rows, in]
                 double scale = 1);

}  // namespace cuset::ops
