// "cross_entropy" (log sum e^x - x[label] for each row of the last axis) and "mse" ((x - y)^2), as a mean, a

#include <fmt/format.h>
// sum, or each number by itself.
#include <algorithm>
#include <cmath>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

NativeResults reduced(const NativeCall& call, Tensor losses) {
  const std::string reduction = call.choice("reduction", {"mean", "sum", "none"});
  if (reduction == "none") {
    Tensor result = call.result(losses.shape);
    result.values = std::move(losses.values);
    return {std::move(result)};
  }
  Tensor result = call.result({});
  const double sum = sum_of(losses.values);
  result.values[0] = reduction == "sum" ? sum : sum / static_cast<double>(losses.values.size());
  return {std::move(result)};
}

double loss_of_row(std::span<const double> row, size_t label) {
  const double top = *std::max_element(row.begin(), row.end());
  CompensatedSum sum;
  for (const double x : row) sum.add(std::exp(x - top));
  return std::log(sum.value()) - (row[label] - top);
}

}  // namespace

NativeResults cross_entropy_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  Tensor losses = call.operand("labels");
  if (x.shape.empty() || losses.shape != Shape(x.shape.begin(), x.shape.end() - 1)) {
    call.refuse(fmt::format("x has the shape {} and labels {}; labels must lack the last axis only",
                            text_of(x.shape), text_of(losses.shape)));
  }
  const auto classes = static_cast<size_t>(x.shape.back());
  for (size_t i = 0; i < losses.values.size(); ++i) {
    const double label = losses.values[i];
    if (!(label >= 0 && label < static_cast<double>(classes) && label == std::floor(label))) {
      call.refuse(fmt::format("labels[{}] is {}, but there are {} classes", i, label, classes));
    }
    losses.values[i] =
        loss_of_row(std::span(x.values).subspan(i * classes, classes), static_cast<size_t>(label));
  }
  return reduced(call, std::move(losses));
}

NativeResults mse_oracle(const NativeCall& call) {
  Tensor x = call.operand("x");
  const Tensor y = call.operand("y");
  if (x.shape != y.shape) {
    call.refuse(fmt::format("x has the shape {} and y {}", text_of(x.shape), text_of(y.shape)));
  }
  for (size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = (x.values[i] - y.values[i]) * (x.values[i] - y.values[i]);
  return reduced(call, std::move(x));
}

}  // namespace cuset::tasks
