// "pool1d", "pool2d" and "pool3d": the largest or the mean of the numbers under a window that slides over the
// last axes. Padding counts as numbers of 0 for the mean, unless `count_padding` is false, and not at all for
// the largest. Missing axes are put in with one place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "tasks/oracles/native_oracles.h"
#include "tasks/oracles/native_window.h"

namespace cuset::tasks {
namespace {

struct Pool {
  std::array<Window, 3> windows = {Window{.input = 1}, Window{.input = 1}, Window{.input = 1}};
  bool largest = true;
  bool count_padding = true;
};

// The window places begin <= k < end that lie inside the input.
struct Inside {
  Inside(const Window& window, int64_t output)
      : begin(std::max<int64_t>(0, -window.place(output, 0))),
        end(std::min(window.kernel, window.input - window.place(output, 0))) {}
  int64_t count() const { return end - begin; }
  int64_t begin;
  int64_t end;
};

using Place = std::array<int64_t, 3>;  // slice, row, column

double pooled(const Pool& pool, const double* x, const Place& place) {
  const auto& [slices, rows, columns] = pool.windows;
  const Inside near(slices, place[0]);
  const Inside high(rows, place[1]);
  const Inside wide(columns, place[2]);
  double largest = -std::numeric_limits<double>::infinity();
  CompensatedSum sum;
  for (int64_t h = near.begin; h < near.end; ++h) {
    for (int64_t i = high.begin; i < high.end; ++i) {
      const int64_t row = slices.place(place[0], h) * rows.input + rows.place(place[1], i);
      const double* from = x + row * columns.input + columns.place(place[2], 0);
      for (int64_t j = wide.begin; j < wide.end; ++j) {
        largest = std::max(largest, from[j]);
        sum.add(from[j]);
      }
    }
  }
  if (pool.largest) return largest;
  const int64_t inside = near.count() * high.count() * wide.count();
  const int64_t all = slices.kernel * rows.kernel * columns.kernel;
  return sum.value() / static_cast<double>(pool.count_padding ? all : inside);
}

Pool pool_of(const NativeCall& call, const Shape& shape, size_t axes) {
  constexpr std::array<std::string_view, 4> kCounts = {"no axes", "one axis", "two axes", "three axes"};
  if (shape.size() < axes)
    call.refuse(fmt::format("x has the shape {}, but must have {}", text_of(shape), kCounts[axes]));
  if (call.parameter("kernel").is_absent()) call.parameter("kernel").refuse("is missing");
  const std::vector<int64_t> kernel = per_axis(call.parameter("kernel"), axes, 1, 1);
  const bool own_stride = !call.parameter("stride").is_absent();
  const std::vector<int64_t> stride = own_stride ? per_axis(call.parameter("stride"), axes, 1, 1) : kernel;
  const std::vector<int64_t> padding = per_axis(call.parameter("padding"), axes, 0, 0);
  Pool pool;
  for (size_t i = 0; i < axes; ++i) {
    if (2 * padding[i] > kernel[i]) call.parameter("padding").refuse("must be at most half the kernel");
    pool.windows[3 - axes + i] = {shape[shape.size() - axes + i], kernel[i], stride[i], padding[i], 1};
  }
  call.parameter("op").string();
  pool.largest = call.choice("op", {"max", "avg"}) == "max";
  pool.count_padding = call.parameter("count_padding").boolean_or(true);
  return pool;
}

NativeResults pool(const NativeCall& call, size_t axes) {
  const Tensor x = call.operand("x");
  const Pool pool = pool_of(call, x.shape, axes);
  const auto& [slices, rows, columns] = pool.windows;
  Shape shape = x.shape;
  for (size_t i = 0; i < axes; ++i) shape[shape.size() - axes + i] = pool.windows[3 - axes + i].outputs();
  Tensor result = call.result(shape);
  const int64_t block = slices.input * rows.input * columns.input;
  auto to = result.values.begin();
  for (const double* from = x.values.data(); to != result.values.end(); from += block) {
    for (int64_t slice = 0; slice < slices.outputs(); ++slice) {
      for (int64_t row = 0; row < rows.outputs(); ++row) {
        for (int64_t column = 0; column < columns.outputs(); ++column)
          *to++ = pooled(pool, from, {slice, row, column});
      }
    }
  }
  return {std::move(result)};
}

}  // namespace

NativeResults pool1d_oracle(const NativeCall& call) { return pool(call, 1); }
NativeResults pool2d_oracle(const NativeCall& call) { return pool(call, 2); }
NativeResults pool3d_oracle(const NativeCall& call) { return pool(call, 3); }

}  // namespace cuset::tasks
