// "reduce": one number from all numbers along some axes.
#include <algorithm>
#include <cmath>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

using Row = std::span<const double>;

double mean(Row row) { return sum_of(row) / static_cast<double>(row.size()); }

double product(Row row) {
  double product = 1;
  for (const double x : row) product *= x;
  return product;
}

double norm(Row row) {
  CompensatedSum sum;
  for (const double x : row) sum.add(x * x);
  return std::sqrt(sum.value());
}

// Two passes: the squares of what is left of the mean.
double variance(Row row, double correction) {
  const double center = mean(row);
  CompensatedSum sum;
  for (const double x : row) sum.add((x - center) * (x - center));
  return sum.value() / (static_cast<double>(row.size()) - correction);
}

double log_sum_exp(Row row) {
  const double top = *std::max_element(row.begin(), row.end());
  if (std::isinf(top)) return top;
  CompensatedSum sum;
  for (const double x : row) sum.add(std::exp(x - top));
  return top + std::log(sum.value());
}

double place_of(Row::iterator found, Row row) { return static_cast<double>(found - row.begin()); }

}  // namespace

double reduce_row(const std::string& op, Row row, double correction) {
  if (op == "sum") return sum_of(row);
  if (op == "mean") return mean(row);
  if (op == "max") return *std::max_element(row.begin(), row.end());
  if (op == "min") return *std::min_element(row.begin(), row.end());
  if (op == "prod") return product(row);
  if (op == "l2norm") return norm(row);
  if (op == "var") return variance(row, correction);
  if (op == "argmax") return place_of(std::max_element(row.begin(), row.end()), row);
  if (op == "argmin") return place_of(std::min_element(row.begin(), row.end()), row);
  return log_sum_exp(row);
}

NativeResults reduce_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  call.parameter("op").string();
  const std::string op = call.choice(
      "op", {"sum", "mean", "max", "min", "prod", "l2norm", "var", "argmax", "argmin", "logsumexp"});
  const std::vector<size_t> axes = call.axes(call.parameter("axes"), other_axes(x.shape, {}), x.shape.size());
  const double correction = call.parameter("correction").number_or(0);
  if (correction != 0 && op != "var") call.parameter("correction").refuse("belongs to var");
  Shape shape = x.shape;
  for (const size_t axis : axes) shape[axis] = 1;
  if (!call.parameter("keepdims").boolean_or(false)) {
    shape.clear();
    for (const size_t axis : other_axes(x.shape, axes)) shape.push_back(x.shape[axis]);
  }
  Tensor result = call.result(shape);
  const Lanes lanes(x.shape, axes);
  std::vector<double> row(lanes.length());
  for (uint64_t lane = 0; lane < lanes.count(); ++lane) {
    lanes.gather(x, lane, row);
    result.values[lane] = reduce_row(op, row, correction);
  }
  return {std::move(result)};
}

}  // namespace cuset::tasks
