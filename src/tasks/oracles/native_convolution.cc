// "conv1d", "conv2d" and "conv3d", as PyTorch defines them (cross-correlations):
//   y[n, o, p] = bias[o] + sum over c, k of weight[o, c, k] * x[n, group * channels + c, p * stride - padding
//   + k * dilation]
// x is [batch, channels, (depth,) (height,) width], weight [outputs, channels / groups, (depth,) (height,)
// width]. Missing axes are put in with one place.
//
// One weight after the other is multiplied with all the numbers that it meets and added to a block of
// outputs; blocks of at most some dozens of terms are added up.
#include <fmt/format.h>

#include <algorithm>

#include "tasks/oracles/native_oracles.h"
#include "tasks/oracles/native_window.h"

namespace cuset::tasks {
namespace {

constexpr int64_t kTermsOfABlock = 64;
constexpr int64_t kMostKernel = 1 << 20;  // places along an axis

// A place of the kernel.
struct Tap {
  int64_t slice = 0;
  int64_t row = 0;
  int64_t column = 0;
};

struct Convolution {
  Tensor x;       // [batch, channels, depth, height, width]
  Tensor weight;  // [outputs, channels / groups, kernel depth, kernel height, kernel width]
  std::vector<double> bias;
  Window slices;
  Window rows;
  Window columns;
  std::vector<Tap> taps;  // as the weights lie
  int64_t groups = 1;

  int64_t input_size() const { return slices.input * rows.input * columns.input; }
  int64_t output_size() const { return slices.outputs() * rows.outputs() * columns.outputs(); }
};

// A tensor with `axes` spatial axes, of which missing ones are put in as 1.
Tensor with_three_axes(const NativeCall& call, std::string_view name, size_t axes) {
  Tensor tensor = call.operand(name);
  if (tensor.shape.size() != 2 + axes) {
    call.refuse(
        fmt::format("{} has the shape {}, but must have {} axes", name, text_of(tensor.shape), 2 + axes));
  }
  for (size_t axis = 2; axis < tensor.shape.size() && name == "weight"; ++axis) {
    if (tensor.shape[axis] > kMostKernel)
      call.refuse(fmt::format("weight has the shape {}", text_of(tensor.shape)));
  }
  tensor.shape.insert(tensor.shape.begin() + 2, 3 - axes, 1);
  return tensor;
}

// One for each of the three spatial axes.
std::vector<Window> windows_of(const NativeCall& call, const Convolution& conv, size_t axes) {
  const std::vector<int64_t> stride = per_axis(call.parameter("stride"), axes, 1, 1);
  const std::vector<int64_t> padding = per_axis(call.parameter("padding"), axes, 0, 0);
  const std::vector<int64_t> dilation = per_axis(call.parameter("dilation"), axes, 1, 1);
  std::vector<Window> windows(3 - axes, Window{.input = 1});
  for (size_t i = 0; i < axes; ++i) {
    const size_t axis = 5 - axes + i;
    windows.push_back({conv.x.shape[axis], conv.weight.shape[axis], stride[i], padding[i], dilation[i]});
  }
  return windows;
}

std::vector<Tap> taps_of(const Convolution& conv) {
  std::vector<Tap> taps;
  for (int64_t slice = 0; slice < conv.slices.kernel; ++slice) {
    for (int64_t row = 0; row < conv.rows.kernel; ++row) {
      for (int64_t column = 0; column < conv.columns.kernel; ++column) taps.push_back({slice, row, column});
    }
  }
  return taps;
}

Convolution convolution_of(const NativeCall& call, size_t axes) {
  Convolution conv;
  conv.x = with_three_axes(call, "x", axes);
  conv.weight = with_three_axes(call, "weight", axes);
  const std::vector<Window> windows = windows_of(call, conv, axes);
  conv.slices = windows[0];
  conv.rows = windows[1];
  conv.columns = windows[2];
  conv.taps = taps_of(conv);
  conv.groups = call.parameter("groups").integer_or(1, 1, 1 << 20);
  const int64_t outputs = conv.weight.shape[0];
  if (conv.x.shape[1] != conv.weight.shape[1] * conv.groups || outputs % conv.groups != 0) {
    call.refuse(fmt::format("{} channels, weight {} and {} groups do not fit", conv.x.shape[1],
                            text_of(call.operand("weight").shape), conv.groups));
  }
  conv.bias.resize(static_cast<size_t>(outputs));
  if (call.has("bias")) conv.bias = call.operand("bias").values;
  if (static_cast<int64_t>(conv.bias.size()) != outputs) {
    call.refuse(fmt::format("bias has {} numbers for {} outputs", conv.bias.size(), outputs));
  }
  return conv;
}

// Adds weight * x for one place of the kernel to a row of outputs.
void add_row(const Window& columns, double weight, const double* from, int64_t tap, double* to) {
  const int64_t last = columns.last_inside(tap);
  if (columns.stride == 1) {
    const int64_t shift = columns.place(0, tap);
    for (int64_t j = columns.first_inside(tap); j < last; ++j) to[j] += weight * from[j + shift];
  } else {
    for (int64_t j = columns.first_inside(tap); j < last; ++j) to[j] += weight * from[columns.place(j, tap)];
  }
}

// The same for all outputs of an image and a channel.
void add_term(const Convolution& conv, double weight, const double* x, const Tap& tap, double* block) {
  const Window& slices = conv.slices;
  const Window& rows = conv.rows;
  for (int64_t slice = slices.first_inside(tap.slice); slice < slices.last_inside(tap.slice); ++slice) {
    for (int64_t row = rows.first_inside(tap.row); row < rows.last_inside(tap.row); ++row) {
      const int64_t from = slices.place(slice, tap.slice) * rows.input + rows.place(row, tap.row);
      const int64_t to = slice * rows.outputs() + row;
      add_row(conv.columns, weight, x + from * conv.columns.input, tap.column,
              block + to * conv.columns.outputs());
    }
  }
}

// All outputs of one image and one output channel.
void fill_block(const Convolution& conv, int64_t image, int64_t output, std::span<double> block) {
  const int64_t channels = conv.weight.shape[1];
  const int64_t group = output / (conv.weight.shape[0] / conv.groups);
  const double* x = conv.x.values.data() + (image * conv.x.shape[1] + group * channels) * conv.input_size();
  const double* weight =
      conv.weight.values.data() + output * channels * static_cast<int64_t>(conv.taps.size());
  std::fill(block.begin(), block.end(), conv.bias[static_cast<size_t>(output)]);
  std::vector<double> piece(block.size());
  int64_t terms = 0;
  const auto add_piece = [&] {
    for (size_t i = 0; i < block.size(); ++i) block[i] += piece[i];
    std::fill(piece.begin(), piece.end(), 0);
    terms = 0;
  };
  for (int64_t channel = 0; channel < channels; ++channel) {
    for (const Tap& tap : conv.taps) {
      add_term(conv, *weight++, x + channel * conv.input_size(), tap, piece.data());
      if (++terms == kTermsOfABlock) add_piece();
    }
  }
  add_piece();
}

NativeResults convolve(const NativeCall& call, size_t axes) {
  const Convolution conv = convolution_of(call, axes);
  const int64_t outputs = conv.weight.shape[0];
  const Shape sides = {conv.slices.outputs(), conv.rows.outputs(), conv.columns.outputs()};
  Shape shape = {conv.x.shape[0], outputs};
  shape.insert(shape.end(), sides.end() - static_cast<int64_t>(axes), sides.end());
  Tensor result = call.result(shape);
  const auto size = static_cast<size_t>(conv.output_size());
  std::span<double> rest(result.values);
  for (int64_t image = 0; image < conv.x.shape[0] && size > 0; ++image) {
    for (int64_t output = 0; output < outputs; ++output) {
      fill_block(conv, image, output, rest.first(size));
      rest = rest.subspan(size);
    }
  }
  return {std::move(result)};
}

}  // namespace

NativeResults conv1d_oracle(const NativeCall& call) { return convolve(call, 1); }
NativeResults conv2d_oracle(const NativeCall& call) { return convolve(call, 2); }
NativeResults conv3d_oracle(const NativeCall& call) { return convolve(call, 3); }

}  // namespace cuset::tasks
