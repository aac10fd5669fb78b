#include "ops/rms_norm.h"

#include <torch/autograd.h>

#include "base/error.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/row_parts.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/rms_norm_gpu.h"
#include "ops/wide_type.h"

namespace cuset::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void check_shapes(const torch::Tensor& x, const torch::Tensor& weight) {
  CUSET_CHECK(x.dim() >= 1 && weight.dim() == 1 && weight.size(0) == x.size(-1),
              "x {}, weight {}: the weight has one value per column", c10::str(x.sizes()),
              c10::str(weight.sizes()));
  CUSET_CHECK(x.scalar_type() == weight.scalar_type(), "x is {}, weight {}", toString(x.scalar_type()),
              toString(weight.scalar_type()));
}

torch::Tensor widened(const torch::Tensor& x) { return x.to(wide_type(x.scalar_type())); }

struct Normalized {
  torch::Tensor y;      // like x
  torch::Tensor scale;  // [rows], r of every row
};

Normalized normalize_with_aten(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  const auto wide = widened(x);
  const auto scale = torch::rsqrt(wide.square().mean(-1, /*keepdim=*/true) + epsilon);
  return {(wide * scale).to(x.scalar_type()) * weight, scale.view(-1)};
}

struct Gradients {
  torch::Tensor dx;
  torch::Tensor dweight;  // float32 [width]; undefined unless asked for
};

Gradients differentiate_with_aten(const torch::Tensor& dy, const torch::Tensor& x,
                                  const torch::Tensor& weight, const torch::Tensor& scale, bool for_weight) {
  auto shape = x.sizes().vec();
  shape.back() = 1;
  const auto r = scale.view(shape);
  const auto normalized = widened(x) * r;
  const auto upstream = widened(dy * weight);
  const auto mean = (upstream * normalized).mean(-1, /*keepdim=*/true);
  Gradients gradients;
  gradients.dx = ((upstream - normalized * mean) * r).to(x.scalar_type());
  if (for_weight) {
    gradients.dweight = (widened(dy) * normalized).view({-1, x.size(-1)}).sum(0);
  }
  return gradients;
}

constexpr int64_t kFewestNormRows = 32;  // worth a thread of the CPU

Normalized normalize_on_cpu(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  const int64_t width = x.size(-1), rows = x.numel() / width;
  Normalized result{torch::empty_like(x), torch::empty({rows}, x.options())};
  const auto *from = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
  auto *to = result.y.data_ptr<float>(), *scale = result.scale.data_ptr<float>();
  for_row_parts(rows, row_parts(rows, kFewestNormRows), [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      scale[row] = rms_norm_row(from + row * width, w, width, static_cast<float>(epsilon), to + row * width);
  });
  return result;
}

Gradients differentiate_on_cpu(const torch::Tensor& dy, const torch::Tensor& x, const torch::Tensor& weight,
                               const torch::Tensor& scale, bool for_weight) {
  const int64_t width = x.size(-1), rows = scale.numel(), parts = row_parts(rows, kFewestNormRows);
  Gradients gradients;
  gradients.dx = torch::empty_like(x);
  const auto sums = torch::zeros({for_weight ? parts : 0, width}, x.options());  // of every thread
  const auto *from = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
  const auto *r = scale.const_data_ptr<float>(), *upstream = dy.const_data_ptr<float>();
  auto *to = gradients.dx.data_ptr<float>(), *dweight = sums.data_ptr<float>();
  for_row_parts(rows, parts, [&](int64_t part, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      rms_norm_backward_row({upstream + row * width, from + row * width, w, r[row]}, width, to + row * width,
                            for_weight ? dweight + part * width : nullptr);
    }
  });
  if (for_weight) gradients.dweight = sums.sum(0);
  return gradients;
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

Normalized normalize_on_gpu(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  auto y = torch::empty_like(x);
  const auto scale = torch::empty({x.numel() / x.size(-1)}, x.options().dtype(torch::kFloat32));
  if (scale.numel() > 0) {
    rms_norm_forward_gpu(rows_of(x, weight, scale), static_cast<float>(epsilon), y.data_ptr(),
                         current_gpu_stream(x));
  }
  return {y, scale};
}

Gradients differentiate_on_gpu(const torch::Tensor& dy, const torch::Tensor& x, const torch::Tensor& weight,
                               const torch::Tensor& scale, bool for_weight) {
  Gradients gradients;
  gradients.dx = torch::empty_like(x);
  torch::Tensor parts;  // [blocks, width]
  if (for_weight) parts = torch::zeros({rms_norm_weight_parts(scale.numel()), x.size(-1)}, scale.options());
  rms_norm_backward_gpu(rows_of(x, weight, scale), dy.const_data_ptr(), gradients.dx.data_ptr(),
                        for_weight ? parts.data_ptr<float>() : nullptr, current_gpu_stream(x));
  if (for_weight) gradients.dweight = parts.sum(0);
  return gradients;
}

bool runs_on_our_kernels(const torch::Tensor& x) {
  return has_gpu_kernel(x) && x.numel() / x.size(-1) < (1LL << 31);
}

#else

Normalized normalize_on_gpu(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  return normalize_with_aten(x, weight, epsilon);
}

Gradients differentiate_on_gpu(const torch::Tensor& dy, const torch::Tensor& x, const torch::Tensor& weight,
                               const torch::Tensor& scale, bool for_weight) {
  return differentiate_with_aten(dy, x, weight, scale, for_weight);
}

bool runs_on_our_kernels(const torch::Tensor&) { return false; }

#endif

Normalized normalize(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  if (runs_on_our_kernels(x)) return normalize_on_gpu(x, weight.contiguous(), epsilon);
  if (has_cpu_loops(x) && x.size(-1) > 0) return normalize_on_cpu(x, weight.contiguous(), epsilon);
  return normalize_with_aten(x, weight, epsilon);
}

// The weight between forward and backward. It is not an autograd variable: its gradient goes into its own
// buffer, so that it is kept as plain values instead of through save_for_backward.
void save_parameter(AutogradContext& context, const Parameter& parameter) {
  context.saved_data["value"] = parameter.value;
  if (parameter.is_trained()) context.saved_data["gradient"] = parameter.gradient;
}

Parameter saved_parameter(AutogradContext& context) {
  Parameter parameter{context.saved_data["value"].toTensor(), {}};
  const auto gradient = context.saved_data.find("gradient");
  if (gradient != context.saved_data.end()) parameter.gradient = gradient->second.toTensor();
  return parameter;
}

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input, const Parameter& weight,
                               double epsilon) {
    const auto x = input.contiguous();
    const auto result = normalize(x, weight.value, epsilon);
    context->save_for_backward({x, result.scale});
    save_parameter(*context, weight);
    return result.y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const Parameter weight = saved_parameter(*context);
    if (x.numel() == 0) return {torch::empty_like(x), {}, {}};
    const auto dy = gradients[0].contiguous();
    const auto differentiate = runs_on_our_kernels(x) ? differentiate_on_gpu
                               : has_cpu_loops(x)     ? differentiate_on_cpu
                                                      : differentiate_with_aten;
    const Gradients result = differentiate(dy, x, weight.value.contiguous(), saved[1], weight.is_trained());
    if (weight.is_trained()) weight.gradient.add_(result.dweight);
    return {result.dx, {}, {}};
  }
};

}  // namespace

torch::Tensor rms_norm_reference(const torch::Tensor& x, const torch::Tensor& weight, double epsilon) {
  check_shapes(x, weight);
  return normalize_with_aten(x, weight, epsilon).y;
}

torch::Tensor rms_norm(const torch::Tensor& x, const Parameter& weight, double epsilon) {
  check_shapes(x, weight.value);
  return RmsNorm::apply(x, weight, epsilon);
}

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
