#include "ops/rms_norm.h"

#include <torch/autograd.h>

#include "base/error.h"
#include "ops/gpu_stream.h"
#include "ops/rms_norm_gpu.h"

namespace cuset {
namespace {

void check_shapes(const torch::Tensor& x, const torch::Tensor& weight) {
  CUSET_CHECK(x.dim() >= 1 && weight.dim() == 1 && weight.size(0) == x.size(-1),
              "x {}, weight {}: the weight has one value per column", c10::str(x.sizes()),
              c10::str(weight.sizes()));
  CUSET_CHECK(x.scalar_type() == weight.scalar_type(), "x is {}, weight {}", toString(x.scalar_type()),
              toString(weight.scalar_type()));
}

#if CUSET_HAS_CUDA

RmsNormRows rows_of(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& scale) {
  return {.type = gpu_type_of(x, "rms_norm"),
          .rows = scale.numel(),
          .width = x.size(-1),
          .x = x.const_data_ptr(),
          .weight = weight.const_data_ptr(),
          .scale = scale.data_ptr<float>()};
}

class RmsNormOnGpu : public torch::autograd::Function<RmsNormOnGpu> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& input,
                               const torch::Tensor& weight, double epsilon) {
    const auto x = input.contiguous();
    auto y = torch::empty_like(x);
    const auto rows = x.numel() / x.size(-1);
    const auto scale = torch::empty({rows}, x.options().dtype(torch::kFloat32));
    if (rows > 0) {
      rms_norm_forward_gpu(rows_of(x, weight, scale), static_cast<float>(epsilon), y.data_ptr(),
                           current_gpu_stream(x));
    }
    context->save_for_backward({x, weight, scale});
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto& weight = saved[1];
    const auto& scale = saved[2];
    const auto dy = gradients[0].contiguous();
    auto dx = torch::empty_like(x);
    if (x.numel() == 0) return {dx, torch::zeros_like(weight), {}};

    torch::Tensor parts;  // [blocks, width], only where the weight is trained
    if (context->needs_input_grad(1)) {
      parts = torch::zeros({rms_norm_weight_parts(scale.numel()), x.size(-1)}, scale.options());
    }
    rms_norm_backward_gpu(rows_of(x, weight, scale), dy.const_data_ptr(), dx.data_ptr(),
                          parts.defined() ? parts.data_ptr<float>() : nullptr, current_gpu_stream(x));
    return {dx, parts.defined() ? parts.sum(0).to(weight.scalar_type()) : torch::Tensor(), {}};
  }
};

#endif

}  // namespace

torch::Tensor rms_norm_reference(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  check_shapes(x, weight);
  // Half types are widened to float32; float64 keeps its precision, so that it can serve as an oracle.
  const auto wide = x.scalar_type() == torch::kFloat64 ? x : x.to(torch::kFloat32);
  const auto scale = torch::rsqrt(wide.square().mean(-1, /*keepdim=*/true) + epsilon);
  return (wide * scale).to(x.scalar_type()) * weight;
}

torch::Tensor rms_norm(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(x) && x.numel() / x.size(-1) < (1LL << 31)) {
    check_shapes(x, weight);
    return RmsNormOnGpu::apply(x, weight.contiguous(), epsilon);
  }
#endif
  return rms_norm_reference(x, weight, epsilon);
}

}  // namespace cuset
