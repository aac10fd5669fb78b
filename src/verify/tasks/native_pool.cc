// "pool2d": the largest or the mean of the numbers under a window that slides over the last two axes. Padding

#include <fmt/format.h>
// counts as numbers of 0 for the mean, unless `count_padding` is false, and not at all for the largest.
#include <algorithm>
#include <limits>

#include "verify/tasks/native_oracles.h"
#include "verify/tasks/native_window.h"

namespace cuset {
namespace {

struct Pool {
  Window rows;
  Window columns;
  bool largest = true;
  bool count_padding = true;
};

// The window places begin <= k < end that lie inside the input.
struct Inside {
  Inside(const Window& window, int64_t output)
      : begin(std::max<int64_t>(0, -window.place(output, 0))),
        end(std::min(window.kernel, window.input - window.place(output, 0))) {}
  int64_t begin;
  int64_t end;
};

double pooled(const Pool& pool, const double* x, int64_t row, int64_t column) {
  const Inside rows(pool.rows, row);
  const Inside columns(pool.columns, column);
  double largest = -std::numeric_limits<double>::infinity();
  CompensatedSum sum;
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    const double* from = x + pool.rows.place(row, i) * pool.columns.input + pool.columns.place(column, 0);
    for (int64_t j = columns.begin; j < columns.end; ++j) {
      largest = std::max(largest, from[j]);
      sum.add(from[j]);
    }
  }
  if (pool.largest) return largest;
  const int64_t inside = (rows.end - rows.begin) * (columns.end - columns.begin);
  return sum.value() /
         static_cast<double>(pool.count_padding ? pool.rows.kernel * pool.columns.kernel : inside);
}

Pool pool_of(const NativeCall& call, const Shape& shape) {
  if (shape.size() < 2)
    call.refuse(fmt::format("x has the shape {}, but must have two axes", text_of(shape)));
  if (call.parameter("kernel").is_absent()) call.parameter("kernel").refuse("is missing");
  const std::vector<int64_t> kernel = per_axis(call.parameter("kernel"), 2, 1, 1);
  const bool own_stride = !call.parameter("stride").is_absent();
  const std::vector<int64_t> stride = own_stride ? per_axis(call.parameter("stride"), 2, 1, 1) : kernel;
  const std::vector<int64_t> padding = per_axis(call.parameter("padding"), 2, 0, 0);
  if (2 * padding[0] > kernel[0] || 2 * padding[1] > kernel[1]) {
    call.parameter("padding").refuse("must be at most half the kernel");
  }
  Pool pool;
  pool.rows = {shape.end()[-2], kernel[0], stride[0], padding[0], 1};
  pool.columns = {shape.end()[-1], kernel[1], stride[1], padding[1], 1};
  call.parameter("op").text();
  pool.largest = call.choice("op", {"max", "avg"}) == "max";
  pool.count_padding = call.parameter("count_padding").flag_or(true);
  return pool;
}

}  // namespace

NativeResults pool2d_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const Pool pool = pool_of(call, x.shape);
  Shape shape = x.shape;
  shape.end()[-2] = pool.rows.outputs();
  shape.end()[-1] = pool.columns.outputs();
  Tensor result = call.result(shape);
  const int64_t plane = pool.rows.input * pool.columns.input;
  auto to = result.values.begin();
  for (const double* from = x.values.data(); to != result.values.end(); from += plane) {
    for (int64_t row = 0; row < pool.rows.outputs(); ++row) {
      for (int64_t column = 0; column < pool.columns.outputs(); ++column)
        *to++ = pooled(pool, from, row, column);
    }
  }
  return {std::move(result)};
}

}  // namespace cuset
