#include "ops/add_product.h"

#include <ATen/ops/mm.h>

namespace cuset::ops {

void add_product(const torch::Tensor& gradient, const torch::Tensor& a, const torch::Tensor& b,
                 double scale) {
  if (a.scalar_type() == gradient.scalar_type()) {
    gradient.addmm_(a.t(), b, 1, scale);
  } else if (a.is_cuda()) {
    gradient.add_(at::mm(a.t(), b, gradient.scalar_type()), scale);
  } else {
    gradient.add_(at::mm(a.t(), b), scale);
  }
}

}  // namespace cuset::ops
