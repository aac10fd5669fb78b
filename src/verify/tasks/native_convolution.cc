// "conv1d" and "conv2d", as PyTorch defines them (cross-correlations):

#include <fmt/format.h>
//   y[n, o, p] = bias[o] + sum over c, k of weight[o, c, k] * x[n, group * channels + c, p * stride - padding
//   + k * dilation]
// x is [batch, channels, (height,) width], weight [outputs, channels / groups, (height,) width].
//
// One weight after the other is multiplied with all the numbers that it meets and added to a plane; planes of
// at most some dozens of terms are added up.
#include <algorithm>

#include "verify/tasks/native_oracles.h"
#include "verify/tasks/native_window.h"

namespace cuset {
namespace {

constexpr int64_t kTermsOfAPlane = 64;
constexpr int64_t kMostKernel = 1 << 20;  // places along an axis

struct Convolution {
  Tensor x;       // [batch, channels, height, width]
  Tensor weight;  // [outputs, channels / groups, kernel height, kernel width]
  std::vector<double> bias;
  Window rows;
  Window columns;
  int64_t groups = 1;
};

// A tensor with `axes` spatial axes, of which a missing height is put in as 1.
Tensor with_height(const NativeCall& call, std::string_view name, size_t axes) {
  Tensor tensor = call.operand(name);
  if (tensor.shape.size() != 2 + axes) {
    call.refuse(
        fmt::format("{} has the shape {}, but must have {} axes", name, text_of(tensor.shape), 2 + axes));
  }
  for (size_t axis = 2; axis < tensor.shape.size() && name == "weight"; ++axis) {
    if (tensor.shape[axis] > kMostKernel)
      call.refuse(fmt::format("weight has the shape {}", text_of(tensor.shape)));
  }
  if (axes == 1) tensor.shape.insert(tensor.shape.begin() + 2, 1);
  return tensor;
}

std::vector<Window> windows_of(const NativeCall& call, const Convolution& conv, size_t axes) {
  const std::vector<int64_t> stride = per_axis(call.parameter("stride"), axes, 1, 1);
  const std::vector<int64_t> padding = per_axis(call.parameter("padding"), axes, 0, 0);
  const std::vector<int64_t> dilation = per_axis(call.parameter("dilation"), axes, 1, 1);
  std::vector<Window> windows;
  for (size_t i = 0; i < axes; ++i) {
    const size_t axis = 4 - axes + i;
    windows.push_back({conv.x.shape[axis], conv.weight.shape[axis], stride[i], padding[i], dilation[i]});
  }
  return windows;
}

Convolution convolution_of(const NativeCall& call, size_t axes) {
  Convolution conv;
  conv.x = with_height(call, "x", axes);
  conv.weight = with_height(call, "weight", axes);
  const std::vector<Window> windows = windows_of(call, conv, axes);
  conv.rows = axes == 2 ? windows[0] : Window{.input = 1};
  conv.columns = windows.back();
  conv.groups = call.parameter("groups").whole_or(1, 1, 1 << 20);
  const int64_t outputs = conv.weight.shape[0];
  if (conv.x.shape[1] != conv.weight.shape[1] * conv.groups || outputs % conv.groups != 0) {
    call.refuse(fmt::format("{} channels, weight {} and {} groups do not fit", conv.x.shape[1],
                            text_of(conv.weight.shape), conv.groups));
  }
  conv.bias.resize(static_cast<size_t>(outputs));
  if (call.has("bias")) conv.bias = call.operand("bias").values;
  if (static_cast<int64_t>(conv.bias.size()) != outputs) {
    call.refuse(fmt::format("bias has {} numbers for {} outputs", conv.bias.size(), outputs));
  }
  return conv;
}

// Adds weight * x for one place of the kernel to the plane of outputs.
void add_term(const Convolution& conv, double weight, const double* x, int64_t row, int64_t column,
              double* plane) {
  const int64_t width = conv.columns.outputs();
  const int64_t first = conv.columns.first_inside(column);
  const int64_t last = conv.columns.last_inside(column);
  for (int64_t i = conv.rows.first_inside(row); i < conv.rows.last_inside(row); ++i) {
    const double* from = x + conv.rows.place(i, row) * conv.columns.input;
    double* to = plane + i * width;
    if (conv.columns.stride == 1) {
      const int64_t shift = conv.columns.place(0, column);
      for (int64_t j = first; j < last; ++j) to[j] += weight * from[j + shift];
    } else {
      for (int64_t j = first; j < last; ++j) to[j] += weight * from[conv.columns.place(j, column)];
    }
  }
}

// All outputs of one image and one output channel.
void fill_plane(const Convolution& conv, int64_t image, int64_t output, std::span<double> plane) {
  const int64_t channels = conv.weight.shape[1];
  const int64_t group = output / (conv.weight.shape[0] / conv.groups);
  const int64_t x_size = conv.rows.input * conv.columns.input;
  const double* x = conv.x.values.data() + (image * conv.x.shape[1] + group * channels) * x_size;
  const double* weight =
      conv.weight.values.data() + output * channels * conv.rows.kernel * conv.columns.kernel;
  std::fill(plane.begin(), plane.end(), conv.bias[static_cast<size_t>(output)]);
  std::vector<double> piece(plane.size());
  int64_t terms = 0;
  const auto add_piece = [&] {
    for (size_t i = 0; i < plane.size(); ++i) plane[i] += piece[i];
    std::fill(piece.begin(), piece.end(), 0);
    terms = 0;
  };
  for (int64_t channel = 0; channel < channels; ++channel) {
    for (int64_t row = 0; row < conv.rows.kernel; ++row) {
      for (int64_t column = 0; column < conv.columns.kernel; ++column) {
        add_term(conv, *weight++, x + channel * x_size, row, column, piece.data());
        if (++terms == kTermsOfAPlane) add_piece();
      }
    }
  }
  add_piece();
}

NativeResults convolve(const NativeCall& call, size_t axes) {
  const Convolution conv = convolution_of(call, axes);
  const int64_t height = conv.rows.outputs();
  const int64_t width = conv.columns.outputs();
  const int64_t outputs = conv.weight.shape[0];
  Tensor result = call.result(axes == 2 ? Shape{conv.x.shape[0], outputs, height, width}
                                        : Shape{conv.x.shape[0], outputs, width});
  const auto size = static_cast<size_t>(height * width);
  std::span<double> rest(result.values);
  for (int64_t image = 0; image < conv.x.shape[0] && size > 0; ++image) {
    for (int64_t output = 0; output < outputs; ++output) {
      fill_plane(conv, image, output, rest.first(size));
      rest = rest.subspan(size);
    }
  }
  return {std::move(result)};
}

}  // namespace

NativeResults conv1d_oracle(const NativeCall& call) { return convolve(call, 1); }
NativeResults conv2d_oracle(const NativeCall& call) { return convolve(call, 2); }

}  // namespace cuset
