#include "ops/cpu/panel_matrix.h"

#include <algorithm>

#include "base/error.h"
#include "ops/cpu/row_parts.h"

namespace cuset::ops {
namespace {

constexpr int64_t kWorthAThread = 1 << 20;  // multiplications: some ten microseconds

torch::Tensor narrowed(const torch::Tensor& matrix) {
  const auto half = matrix.to(torch::kBFloat16);
  const auto wide = matrix.to(torch::kFloat32);
  return half.to(torch::kFloat32).equal(wide) ? half : wide;
}

template <typename T>
const T* entries(const torch::Tensor& panels) {
  return static_cast<const T*>(panels.const_data_ptr());
}

}  // namespace

PanelMatrix::PanelMatrix(const torch::Tensor& matrix) : out_(matrix.size(0)), in_(matrix.size(1)) {
  CUSET_CHECK(matrix.is_cpu() && matrix.dim() == 2, "a matrix {} on {}", c10::str(matrix.sizes()),
              matrix.device().str());
  const auto values = narrowed(matrix);
  auto padded = values;
  if (out_ % kPanel != 0) {
    padded = torch::zeros({panel_padded(out_), in_}, values.options());
    padded.narrow(0, 0, out_).copy_(values);
  }
  panels_ = padded.view({panels_of(out_), kPanel, in_}).transpose(1, 2).contiguous();
}

void PanelMatrix::multiply(const PanelRows& x, const PanelOutput& y) const {
  const int64_t panels = panels_.size(0), stride = in_ * kPanel;
  const auto* first = static_cast<const char*>(panels_.const_data_ptr());
  const int64_t bytes = stride * static_cast<int64_t>(panels_.element_size());
  const int64_t fewest = kWorthAThread / std::max<int64_t>(1, stride * x.count) + 1;
  for_row_parts(panels, row_parts(panels, fewest), [&](int64_t, int64_t begin, int64_t end) {
    panel_loops().product({.panels = first + begin * bytes,
                           .is_bfloat16 = panels_.scalar_type() == torch::kBFloat16,
                           .inner = in_,
                           .panel_stride = stride,
                           .count = end - begin,
                           .x = x.data,
                           .x_row = x.stride,
                           .rows = x.count,
                           .y = y.data + begin * kPanel,
                           .y_row = y.stride,
                           .bias = y.bias == nullptr ? nullptr : y.bias + begin * kPanel,
                           .add = y.add});
  });
}

void PanelMatrix::copy_row(int64_t index, float* to) const {
  const int64_t first = index / kPanel * in_ * kPanel + index % kPanel;
  if (panels_.scalar_type() == torch::kBFloat16) {
    const auto* from = entries<c10::BFloat16>(panels_) + first;
    for (int64_t k = 0; k < in_; ++k) to[k] = from[k * kPanel];
  } else {
    const auto* from = entries<float>(panels_) + first;
    for (int64_t k = 0; k < in_; ++k) to[k] = from[k * kPanel];
  }
}

}  // namespace cuset::ops
