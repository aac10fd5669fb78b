// Numbers put into other places: transpose, gather, scatter, sort.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

// Undefined numbers come last, whichever way the others go.
struct NumbersFirst {
  bool descending;
  bool operator()(double x, double y) const {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && !std::isnan(x);
    return descending ? x > y : x < y;
  }
};

// The place that `number` names on an axis of `side` places.
uint64_t place_named(const NativeCall& call, double number, int64_t side, size_t at) {
  if (!(number >= 0 && number < static_cast<double>(side) && number == std::floor(number))) {
    call.refuse(fmt::format("index[{}] is {}, but the axis has {} places", at, number, side));
  }
  return static_cast<uint64_t>(number);
}

// numpy's take: whole slices of x at the indices.
Tensor take(const NativeCall& call, const Tensor& x, const Tensor& index, size_t axis) {
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<int64_t>(axis));
  shape.insert(shape.end(), index.shape.begin(), index.shape.end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<int64_t>(axis) + 1, x.shape.end());
  Tensor result = call.result(shape);
  const int64_t side = x.shape[axis];
  const uint64_t slice = strides_of(x.shape)[axis];
  auto to = result.values.begin();
  for (uint64_t block = 0; block < x.values.size(); block += slice * static_cast<uint64_t>(side)) {
    for (size_t i = 0; i < index.values.size(); ++i) {
      const uint64_t from = block + place_named(call, index.values[i], side, i) * slice;
      to = std::copy_n(x.values.begin() + static_cast<int64_t>(from), slice, to);
    }
  }
  return result;
}

// numpy's take_along_axis, PyTorch's gather: index has an entry for each number of the result.
Tensor take_along(const NativeCall& call, const Tensor& x, const Tensor& index, size_t axis) {
  Shape same = x.shape;
  if (index.shape.size() == same.size()) same[axis] = index.shape[axis];
  if (index.shape != same) {
    call.refuse(fmt::format("index has the shape {} and x {}; along an axis all other sides must agree",
                            text_of(index.shape), text_of(x.shape)));
  }
  Tensor result = call.result(index.shape);
  const Lanes from(x.shape, {axis});
  const Lanes to(index.shape, {axis});
  std::vector<double> source(from.length());
  std::vector<double> row(to.length());
  for (uint64_t lane = 0; lane < to.count(); ++lane) {
    from.gather(x, lane, source);
    to.gather(index, lane, row);
    for (size_t i = 0; i < row.size(); ++i) row[i] = source[place_named(call, row[i], x.shape[axis], i)];
    to.scatter(row, lane, result);
  }
  return result;
}

}  // namespace

NativeResults transpose_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  std::vector<size_t> reversed = other_axes(x.shape, {});
  std::reverse(reversed.begin(), reversed.end());
  const base::JsonCursor field = call.parameter("permutation");
  const std::vector<size_t> order = call.axes(field, reversed, x.shape.size());
  if (order.size() != x.shape.size()) {
    field.refuse(fmt::format("must name each of the {} axes once", x.shape.size()));
  }
  Shape shape;
  for (const size_t axis : order) shape.push_back(x.shape[axis]);
  Tensor result = call.result(shape);
  const std::vector<uint64_t> places = offsets_along(x.shape, order);
  for (size_t i = 0; i < places.size(); ++i) result.values[i] = x.values[places[i]];
  return {std::move(result)};
}

NativeResults reshape_oracle(const NativeCall& call) {
  Tensor x = call.operand("x");
  const Shape& shape = call.task().outputs[0].shape;
  if (count_of(shape) != x.values.size())
    call.refuse(fmt::format("{} does not hold as many numbers as {}", text_of(shape), text_of(x.shape)));
  Tensor result = call.result(shape);
  result.values = std::move(x.values);
  return {std::move(result)};
}

NativeResults triangle_oracle(const NativeCall& call) {
  Tensor x = call.operand("x");
  if (x.shape.size() < 2)
    call.refuse(fmt::format("x has the shape {}, but must have two axes", text_of(x.shape)));
  const bool lower = call.choice("part", {"lower", "upper"}) == "lower";
  const int64_t diagonal = call.parameter("diagonal").integer_or(0, -(1 << 20), 1 << 20);
  const double outside = call.parameter("value").number_or(0);
  Tensor result = call.result(x.shape);
  const int64_t rows = x.shape.rbegin()[1];
  const int64_t columns = x.shape.back();
  for (size_t at = 0; at < x.values.size(); ++at) {
    const int64_t column = static_cast<int64_t>(at) % columns;
    const int64_t beyond = column - static_cast<int64_t>(at) / columns % rows - diagonal;
    if (lower ? beyond > 0 : beyond < 0) x.values[at] = outside;
  }
  result.values = std::move(x.values);
  return {std::move(result)};
}

NativeResults gather_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const Tensor index = call.operand("index");
  const size_t axis = call.axis(call.parameter("axis"), 0, x.shape.size());
  const bool along = call.choice("mode", {"take", "along"}) == "along";
  return {along ? take_along(call, x, index, axis) : take(call, x, index, axis)};
}

// Slice i of x is added to slice index[i] of zeros.
NativeResults scatter_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const Tensor index = call.operand("index");
  Tensor result = call.result(call.task().outputs[0].shape);
  const bool fits = index.shape.size() == 1 && !x.shape.empty() && x.shape[0] == index.shape[0] &&
                    result.shape.size() == x.shape.size() &&
                    std::equal(x.shape.begin() + 1, x.shape.end(), result.shape.begin() + 1);
  if (!fits) {
    call.refuse(
        fmt::format("x has the shape {}, index {} and the output {}; they differ in the first side only",
                    text_of(x.shape), text_of(index.shape), text_of(result.shape)));
  }
  const uint64_t slice = strides_of(x.shape)[0];
  for (size_t i = 0; i < index.values.size(); ++i) {
    const uint64_t to = place_named(call, index.values[i], result.shape[0], i) * slice;
    for (uint64_t k = 0; k < slice; ++k) result.values[to + k] += x.values[i * slice + k];
  }
  return {std::move(result)};
}

NativeResults sort_oracle(const NativeCall& call) {
  const Tensor x = call.operand("x");
  const size_t axis = call.axis(call.parameter("axis"), -1, x.shape.size());
  const bool descending = call.parameter("descending").boolean_or(false);
  Shape shape = x.shape;
  shape[axis] = call.parameter("k").integer_or(x.shape[axis], 0, x.shape[axis]);
  Tensor result = call.result(shape);
  const Lanes from(x.shape, {axis});
  const Lanes to(shape, {axis});
  std::vector<double> row(from.length());
  for (uint64_t lane = 0; lane < to.count(); ++lane) {
    from.gather(x, lane, row);
    std::sort(row.begin(), row.end(), NumbersFirst{descending});
    to.scatter(std::span(row).first(to.length()), lane, result);
  }
  return {std::move(result)};
}

}  // namespace cuset::tasks
