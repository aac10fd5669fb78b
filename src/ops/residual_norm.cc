#include "ops/residual_norm.h"

#include "base/error.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/residual_norm_gpu.h"
#include "ops/rms_norm.h"

namespace cuset::ops {

torch::Tensor residual_norm(torch::Tensor& x, const torch::Tensor& delta, const torch::Tensor& weight,
                            double epsilon) {
  CUSET_CHECK(x.dim() == 2 && x.sizes() == delta.sizes() && weight.numel() == x.size(1) &&
                  x.is_contiguous() && delta.is_contiguous(),
              "x {}, delta {}, weight {}", c10::str(x.sizes()), c10::str(delta.sizes()),
              c10::str(weight.sizes()));
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(x)) {
    auto y = torch::empty_like(x);
    residual_norm_gpu({.type = gpu_type_of(x, "residual_norm"),
                       .rows = x.size(0),
                       .width = x.size(1),
                       .x = x.data_ptr(),
                       .delta = delta.const_data_ptr(),
                       .weight = weight.const_data_ptr(),
                       .epsilon = static_cast<float>(epsilon)},
                      y.data_ptr(), current_gpu_stream(x));
    return y;
  }
#endif
  x.add_(delta);
  return rms_norm_reference(x, weight, epsilon);
}

}  // namespace cuset::ops
