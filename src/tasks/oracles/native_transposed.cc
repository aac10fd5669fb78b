// "conv_transpose1d", as PyTorch defines it: every number of x is spread over `kernel` places of y.
//   y[n, o, p] = bias[o] + sum over c, i, k with p = i * stride - padding + k of x[n, c, i] * weight[c, o, k]
#include <fmt/format.h>

#include <algorithm>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

constexpr int64_t kMost = 1 << 20;  // of kernel, stride and padding

struct Spread {
  Tensor x;       // [batch, channels, length]
  Tensor weight;  // [channels, outputs, kernel]
  std::vector<double> bias;
  int64_t stride = 1;
  int64_t padding = 0;

  int64_t width() const { return (x.shape[2] - 1) * stride - 2 * padding + weight.shape[2]; }
};

Spread spread_of(const NativeCall& call) {
  Spread spread{call.operand("x"), call.operand("weight"), {}, 1, 0};
  const Shape& weight = spread.weight.shape;
  if (spread.x.shape.size() != 3 || weight.size() != 3 || spread.x.shape[1] != weight[0] || weight[2] > kMost)
    call.refuse(fmt::format("x {} and weight {} do not fit", text_of(spread.x.shape), text_of(weight)));
  spread.stride = call.parameter("stride").integer_or(1, 1, kMost);
  spread.padding = call.parameter("padding").integer_or(0, 0, kMost);
  if (spread.width() < 1) call.refuse(fmt::format("a padding of {} leaves nothing", spread.padding));
  spread.bias.resize(static_cast<size_t>(weight[1]));
  if (call.has("bias")) spread.bias = call.operand("bias").values;
  if (static_cast<int64_t>(spread.bias.size()) != weight[1])
    call.refuse(fmt::format("bias has {} numbers for {} outputs", spread.bias.size(), weight[1]));
  return spread;
}

// Adds what one channel of an image gives to a row of y.
void add_channel(const Spread& spread, const double* from, const double* taps,
                 std::vector<CompensatedSum>& row) {
  for (int64_t i = 0; i < spread.x.shape[2]; ++i) {
    const int64_t first = i * spread.stride - spread.padding;
    const int64_t begin = std::max<int64_t>(0, -first);
    const int64_t end = std::min(spread.weight.shape[2], spread.width() - first);
    for (int64_t k = begin; k < end; ++k) row[static_cast<size_t>(first + k)].add(from[i] * taps[k]);
  }
}

}  // namespace

NativeResults conv_transpose1d_oracle(const NativeCall& call) {
  const Spread spread = spread_of(call);
  const int64_t images = spread.x.shape[0];
  const int64_t channels = spread.x.shape[1];
  const int64_t outputs = spread.weight.shape[1];
  Tensor result = call.result({images, outputs, spread.width()});
  auto to = result.values.begin();
  for (int64_t plane = 0; plane < images * outputs; ++plane) {
    const int64_t output = plane % outputs;
    std::vector<CompensatedSum> row(static_cast<size_t>(spread.width()));
    for (int64_t channel = 0; channel < channels; ++channel) {
      const double* from =
          spread.x.values.data() + (plane / outputs * channels + channel) * spread.x.shape[2];
      const double* taps =
          spread.weight.values.data() + (channel * outputs + output) * spread.weight.shape[2];
      add_channel(spread, from, taps, row);
    }
    for (const CompensatedSum& sum : row) *to++ = sum.value() + spread.bias[static_cast<size_t>(output)];
  }
  return {std::move(result)};
}

}  // namespace cuset::tasks
