#include "ops/rotary.h"

#include <torch/autograd.h>

#include "base/error.h"
#include "ops/cpu/row_loops.h"
#include "ops/cpu/row_parts.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/gpu/rotary_gpu.h"
#include "ops/wide_type.h"

namespace cuset::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

torch::Tensor rotate_with_aten(const torch::Tensor& x, const torch::Tensor& cosine,
                               const torch::Tensor& sine) {
  const auto type = wide_type(x.scalar_type());
  const auto wide = x.to(type);
  const auto halves = wide.chunk(2, -1);
  const auto c = cosine.to(type).unsqueeze(1);  // [tokens, 1, dim / 2]
  const auto s = sine.to(type).unsqueeze(1);
  return torch::cat({halves[0] * c - halves[1] * s, halves[1] * c + halves[0] * s}, -1).to(x.scalar_type());
}

constexpr int64_t kFewestTurnedRows = 32;  // worth a thread

torch::Tensor turn_on_cpu(const torch::Tensor& x, const torch::Tensor& cosine, const torch::Tensor& sine,
                          bool inverse) {
  auto y = torch::empty_like(x);
  const int64_t heads = x.size(1), half = x.size(2) / 2;
  const auto *c = cosine.const_data_ptr<float>(), *s = sine.const_data_ptr<float>();
  const auto* from = x.const_data_ptr<float>();
  auto* to = y.data_ptr<float>();
  for_row_parts(x.size(0), row_parts(x.size(0), kFewestTurnedRows), [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t first = row * heads * half * 2;
      rotary_row({c + row * half, s + row * half, inverse ? -1.0f : 1.0f}, heads, half, from + first,
                 to + first);
    }
  });
  return y;
}

torch::Tensor turn(const torch::Tensor& x, const RotaryAngles& angles, bool inverse) {
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(x)) {
    auto y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    rotate_gpu(gpu_type_of(x, "rotate"), x.size(0), x.size(1), x.size(2), x.const_data_ptr(), y.data_ptr(),
               angles.cosine.const_data_ptr<float>(), angles.sine.const_data_ptr<float>(), inverse,
               current_gpu_stream(x));
    return y;
  }
#endif
  if (has_cpu_loops(x) && has_cpu_loops(angles.cosine) && has_cpu_loops(angles.sine))
    return turn_on_cpu(x, angles.cosine.contiguous(), angles.sine.contiguous(), inverse);
  return rotate_with_aten(x, angles.cosine, inverse ? -angles.sine : angles.sine);
}

class Rotation : public torch::autograd::Function<Rotation> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, const torch::Tensor& cosine,
                               const torch::Tensor& sine) {
    context->save_for_backward({cosine, sine});
    return turn(x.contiguous(), {cosine, sine}, /*inverse=*/false);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    return {turn(gradients[0].contiguous(), {saved[0], saved[1]}, /*inverse=*/true), {}, {}};
  }
};

}  // namespace

RotaryAngles rotary_angles(const torch::Tensor& frequencies, const torch::Tensor& positions, double factor) {
  // Float64 products keep the angles of far positions exact, whatever type the model computes in.
  const auto angles =
      torch::outer(positions.to(torch::kFloat64), frequencies.to(positions.device(), torch::kFloat64));
  return {(angles.cos() * factor).to(torch::kFloat32), (angles.sin() * factor).to(torch::kFloat32)};
}

torch::Tensor rotate(const torch::Tensor& x, const RotaryAngles& angles) {
  CUSET_CHECK(x.dim() == 3 && x.size(2) % 2 == 0 && angles.cosine.size(0) == x.size(0) &&
                  angles.cosine.size(1) * 2 == x.size(2),
              "x {}, angles {}", c10::str(x.sizes()), c10::str(angles.cosine.sizes()));
  return Rotation::apply(x, angles.cosine, angles.sine);
}

torch::Tensor rotate_reference(const torch::Tensor& x, const RotaryAngles& angles) {
  return rotate_with_aten(x, angles.cosine, angles.sine);
}

}  // namespace cuset::ops
