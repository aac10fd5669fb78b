#include "ops/swiglu.h"

#include <ATen/ops/silu.h>
#include <ATen/ops/silu_backward.h>

#include "base/error.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/row_parts.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/swiglu_gpu.h"

namespace cuset::ops {
namespace {

constexpr int64_t kFewestValues = 8192;  // worth a thread

bool are_contiguous(const torch::Tensor& a, const torch::Tensor& b) {
  return a.is_contiguous() && b.is_contiguous();
}

torch::Tensor swiglu_on_cpu(const torch::Tensor& gate, const torch::Tensor& up) {
  auto h = torch::empty_like(gate);
  const auto *g = gate.const_data_ptr<float>(), *u = up.const_data_ptr<float>();
  auto* to = h.data_ptr<float>();
  for_row_parts(gate.numel(), row_parts(gate.numel(), kFewestValues),
                [&](int64_t, int64_t begin, int64_t end) {
                  swiglu_row(g + begin, u + begin, end - begin, to + begin);
                });
  return h;
}

void swiglu_backward_on_cpu(torch::Tensor& gate, torch::Tensor& up, const torch::Tensor& dh) {
  auto *g = gate.data_ptr<float>(), *u = up.data_ptr<float>();
  const auto* from = dh.const_data_ptr<float>();
  for_row_parts(gate.numel(), row_parts(gate.numel(), kFewestValues),
                [&](int64_t, int64_t begin, int64_t end) {
                  swiglu_backward_row(g + begin, u + begin, from + begin, end - begin);
                });
}

}  // namespace

torch::Tensor swiglu(const torch::Tensor& gate, const torch::Tensor& up) {
  CUSET_CHECK(gate.sizes() == up.sizes(), "gate {}, up {}", c10::str(gate.sizes()), c10::str(up.sizes()));
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(gate) && are_contiguous(gate, up)) {
    auto h = torch::empty_like(gate);
    swiglu_forward_gpu(gpu_type_of(gate, "swiglu"), gate.numel(), gate.const_data_ptr(), up.const_data_ptr(),
                       h.data_ptr(), current_gpu_stream(gate));
    return h;
  }
#endif
  if (has_cpu_loops(gate) && are_contiguous(gate, up)) return swiglu_on_cpu(gate, up);
  return at::silu(gate).mul_(up);
}

torch::Tensor swiglu_joined(const torch::Tensor& gate_up) {
  const int64_t width = gate_up.size(1) / 2;
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(gate_up) && gate_up.is_contiguous()) {
    auto h = torch::empty({gate_up.size(0), width}, gate_up.options());
    swiglu_joined_gpu(gpu_type_of(gate_up, "swiglu"), gate_up.size(0), width, gate_up.const_data_ptr(),
                      h.data_ptr(), current_gpu_stream(gate_up));
    return h;
  }
#endif
  return swiglu(gate_up.narrow(1, 0, width), gate_up.narrow(1, width, width));
}

void swiglu_backward_(torch::Tensor& gate, torch::Tensor& up, const torch::Tensor& dh) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(gate) && are_contiguous(gate, up) && dh.is_contiguous()) {
    swiglu_backward_gpu(gpu_type_of(gate, "swiglu"), gate.numel(), gate.const_data_ptr(), up.const_data_ptr(),
                        dh.const_data_ptr(), gate.data_ptr(), up.data_ptr(), current_gpu_stream(gate));
    return;
  }
#endif
  if (has_cpu_loops(gate) && are_contiguous(gate, up) && dh.is_contiguous()) {
    swiglu_backward_on_cpu(gate, up, dh);
    return;
  }
  const auto activated = at::silu(gate);
  const auto dgate = at::silu_backward(up.mul_(dh), gate);
  at::mul_out(up, activated, dh);
  gate.copy_(dgate);
}

}  // namespace cuset::ops
