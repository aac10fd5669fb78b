// Rows that are brought to a common measure:

#include <fmt/format.h>
//   softmax      e^x / sum e^x, with the largest x taken off first
//   log_softmax  x - log sum e^x
//   layer_norm   (x - mean) / sqrt(variance + eps) * weight + bias
//   rms_norm     x / sqrt(mean of squares + eps) * weight
#include <algorithm>
#include <cmath>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

template <typename Change>
NativeResults change_rows(const NativeCall& call, const std::vector<size_t>& axes, const Tensor& x,
                          Change change) {
  Tensor result = call.result(x.shape);
  const Lanes lanes(x.shape, axes);
  std::vector<double> row(lanes.length());
  for (uint64_t lane = 0; lane < lanes.count(); ++lane) {
    lanes.gather(x, lane, row);
    change(std::span<double>(row));
    lanes.scatter(row, lane, result);
  }
  return {std::move(result)};
}

// Takes off the largest number and gives the sum of the exponentials of what is left.
double center_at_largest(std::span<double> row) {
  const double top = *std::max_element(row.begin(), row.end());
  CompensatedSum sum;
  for (double& x : row) {
    x -= top;
    sum.add(std::exp(x));
  }
  return sum.value();
}

std::vector<double> per_column(const NativeCall& call, std::string_view name, size_t length, double usual) {
  if (!call.has(name)) return std::vector<double>(length, usual);
  Tensor tensor = call.operand(name);
  if (tensor.values.size() != length) {
    call.refuse(
        fmt::format("{} has the shape {}, but a row {} numbers", name, text_of(tensor.shape), length));
  }
  return std::move(tensor.values);
}

struct Norm {
  Tensor x;
  std::vector<size_t> axes;
  double eps = 0;
  std::vector<double> weight;
  std::vector<double> bias;
};

Norm norm_of(const NativeCall& call) {
  Norm norm;
  norm.x = call.operand("x");
  const Shape& shape = norm.x.shape;
  if (shape.empty()) call.refuse("its operand is one number and has no axis");
  norm.axes = call.axes(call.parameter("axes"), {shape.size() - 1}, shape.size());
  std::sort(norm.axes.begin(), norm.axes.end());
  norm.eps = call.parameter("eps").number_or(1e-5);
  if (!(norm.eps >= 0)) call.parameter("eps").refuse("must be 0 or more");
  size_t length = 1;
  for (const size_t axis : norm.axes) length *= static_cast<size_t>(shape[axis]);
  norm.weight = per_column(call, "weight", length, 1);
  norm.bias = per_column(call, "bias", length, 0);
  return norm;
}

// `bias` is 0 everywhere for the norms that have none.
void scale_row(const Norm& norm, double mean, std::span<double> row) {
  CompensatedSum squares;
  for (const double x : row) squares.add((x - mean) * (x - mean));
  const double scale = 1 / std::sqrt(squares.value() / static_cast<double>(row.size()) + norm.eps);
  for (size_t i = 0; i < row.size(); ++i) row[i] = (row[i] - mean) * scale * norm.weight[i] + norm.bias[i];
}

}  // namespace

NativeResults softmax_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  return change_rows(call, {axis}, x, [](std::span<double> row) {
    const double sum = center_at_largest(row);
    for (double& value : row) value = std::exp(value) / sum;
  });
}

NativeResults log_softmax_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  return change_rows(call, {axis}, x, [](std::span<double> row) {
    const double log_sum = std::log(center_at_largest(row));
    for (double& value : row) value -= log_sum;
  });
}

NativeResults layer_norm_oracle(const NativeCall& call) {
  const Norm norm = norm_of(call);
  return change_rows(call, norm.axes, norm.x, [&](std::span<double> row) {
    scale_row(norm, sum_of(row) / static_cast<double>(row.size()), row);
  });
}

NativeResults rms_norm_oracle(const NativeCall& call) {
  const Norm norm = norm_of(call);
  return change_rows(call, norm.axes, norm.x, [&](std::span<double> row) { scale_row(norm, 0, row); });
}

}  // namespace cuset::tasks
