#include "ops/swiglu.h"

#include <ATen/ops/silu.h>
#include <ATen/ops/silu_backward.h>

#include "base/error.h"
#include "ops/gpu_stream.h"
#include "ops/swiglu_gpu.h"

namespace cuset {

torch::Tensor swiglu(const torch::Tensor& gate, const torch::Tensor& up) {
  CUSET_CHECK(gate.sizes() == up.sizes(), "gate {}, up {}", c10::str(gate.sizes()), c10::str(up.sizes()));
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(gate) && gate.is_contiguous() && up.is_contiguous()) {
    auto h = torch::empty_like(gate);
    swiglu_forward_gpu(gpu_type_of(gate, "swiglu"), gate.numel(), gate.const_data_ptr(), up.const_data_ptr(),
                       h.data_ptr(), current_gpu_stream(gate));
    return h;
  }
#endif
  return at::silu(gate).mul_(up);
}

void swiglu_backward_(torch::Tensor& gate, torch::Tensor& up, const torch::Tensor& dh) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(gate) && gate.is_contiguous() && up.is_contiguous() && dh.is_contiguous()) {
    swiglu_backward_gpu(gpu_type_of(gate, "swiglu"), gate.numel(), gate.const_data_ptr(), up.const_data_ptr(),
                        dh.const_data_ptr(), gate.data_ptr(), up.data_ptr(), current_gpu_stream(gate));
    return;
  }
#endif
  const auto activated = at::silu(gate);
  const auto dgate = at::silu_backward(up.mul_(dh), gate);
  at::mul_out(up, activated, dh);
  gate.copy_(dgate);
}

}  // namespace cuset
