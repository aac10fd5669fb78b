// Float64 tensors of the native oracles, and walks along their axes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/array.h"

namespace cuset::tasks {

struct Tensor {
  Shape shape;
  std::vector<double> values;  // last index fastest
};

// How far apart neighbors along each axis lie.
std::vector<uint64_t> strides_of(const Shape& shape);

// The places of all elements whose index is 0 outside `axes`, the last of `axes` fastest.
std::vector<uint64_t> offsets_along(const Shape& shape, const std::vector<size_t>& axes);

// The axes that are not in `axes`, ascending.
std::vector<size_t> other_axes(const Shape& shape, const std::vector<size_t>& axes);

// A tensor seen as lanes: all elements that differ only along `axes` are one lane.
class Lanes {
 public:
  Lanes(const Shape& shape, const std::vector<size_t>& axes)
      : starts_(offsets_along(shape, other_axes(shape, axes))), steps_(offsets_along(shape, axes)) {}

  uint64_t count() const { return starts_.size(); }
  uint64_t length() const { return steps_.size(); }

  // `row` has length() places.
  void gather(const Tensor& tensor, uint64_t lane, std::span<double> row) const;
  void scatter(std::span<const double> row, uint64_t lane, Tensor& tensor) const;

 private:
  std::vector<uint64_t> starts_;
  std::vector<uint64_t> steps_;
};

// A sum that carries what each addition lost (Neumaier): exact to the last place or two, however many terms.
class CompensatedSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    const bool term_is_smaller = (sum_ < 0 ? -sum_ : sum_) >= (term < 0 ? -term : term);
    lost_ += term_is_smaller ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  // Infinite and undefined sums as they are: what they lost is undefined.
  double value() const { return sum_ - sum_ == 0 ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

double sum_of(std::span<const double> values);

}  // namespace cuset::tasks
