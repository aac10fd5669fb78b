#include "tasks/oracles/native_tensor.h"

#include <algorithm>

namespace cuset::tasks {

std::vector<uint64_t> strides_of(const Shape& shape) {
  std::vector<uint64_t> strides(shape.size());
  uint64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= static_cast<uint64_t>(shape[axis]);
  }
  return strides;
}

std::vector<uint64_t> offsets_along(const Shape& shape, const std::vector<size_t>& axes) {
  const std::vector<uint64_t> strides = strides_of(shape);
  std::vector<uint64_t> offsets = {0};
  for (const size_t axis : axes) {
    std::vector<uint64_t> longer;
    longer.reserve(offsets.size() * static_cast<uint64_t>(shape[axis]));
    for (const uint64_t offset : offsets) {
      for (int64_t i = 0; i < shape[axis]; ++i)
        longer.push_back(offset + static_cast<uint64_t>(i) * strides[axis]);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

std::vector<size_t> other_axes(const Shape& shape, const std::vector<size_t>& axes) {
  std::vector<size_t> others;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) others.push_back(axis);
  }
  return others;
}

void Lanes::gather(const Tensor& tensor, uint64_t lane, std::span<double> row) const {
  const double* start = tensor.values.data() + starts_[lane];
  for (size_t i = 0; i < row.size(); ++i) row[i] = start[steps_[i]];
}

void Lanes::scatter(std::span<const double> row, uint64_t lane, Tensor& tensor) const {
  double* start = tensor.values.data() + starts_[lane];
  for (size_t i = 0; i < row.size(); ++i) start[steps_[i]] = row[i];
}

double sum_of(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

}  // namespace cuset::tasks
