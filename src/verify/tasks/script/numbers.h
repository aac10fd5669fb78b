// Arrays of the interpreter: a strided view of a shared buffer of doubles, with the type that the script gave
// it. Every stored number is one that the type holds, so rounding happens where numbers are made.
//
// Views share: B.view(-1)[:n] = x writes into B, as numpy and PyTorch do. Whole numbers are exact up to 2^53;
// beyond that the interpreter gives up rather than give a wrong one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verify/tasks/array.h"
#include "verify/tasks/script/budget.h"

namespace cuset::script {

struct Numbers {
  std::shared_ptr<Buffer> buffer;
  int64_t offset = 0;
  Shape shape;
  Shape strides;  // in numbers, not bytes
  NumberType type = NumberType::kFloat64;
  bool torch = false;  // a tensor, not an ndarray: other defaults for types

  int64_t count() const;
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  bool contiguous() const;
  double* data() const { return buffer->data() + offset; }
  const std::shared_ptr<Budget>& budget() const { return buffer->budget(); }
};

// What the new array is like, apart from its shape.
struct Likeness {
  std::shared_ptr<Budget> budget;
  NumberType type = NumberType::kFloat64;
  bool torch = false;
};
Likeness like(const Numbers& numbers);

// Not initialised. Throws Failure for negative sides, OutOfBudget for too many numbers.
Numbers new_numbers(const Shape& shape, const Likeness& likeness);
Numbers filled(const Shape& shape, const Likeness& likeness, double value);

// An array of any size that holds one number everywhere, takes no memory and cannot be changed. What is
// computed of such arrays alone is such an array.
Numbers constant_numbers(const Shape& shape, const Likeness& likeness, double value);
inline bool is_constant(const Numbers& numbers) { return numbers.buffer->constant; }

int64_t product(const Shape& shape);
Shape strides_of(const Shape& shape);  // of a contiguous array

// Rounds to what `type` holds: float16, bfloat16 and float32 to nearest even; whole numbers cut towards zero
// and wrapped to their width. Throws Failure for whole numbers beyond 2^53.
void round_to(NumberType type, std::span<double> numbers);
double rounded_to(NumberType type, double number);

// A contiguous copy, or the same view where it is contiguous.
Numbers copied(const Numbers& numbers);
Numbers packed(const Numbers& numbers);
// A contiguous copy of another type.
Numbers converted(const Numbers& numbers, NumberType type);

// Views. Each throws Failure where the shape does not allow it. reshaped copies where it must; one side may
// be -1.
Numbers reshaped(const Numbers& numbers, Shape shape);
Numbers permuted(const Numbers& numbers, const std::vector<int64_t>& axes);
Numbers broadcast_to(const Numbers& numbers, const Shape& shape);
Shape broadcast_shape(const Shape& a, const Shape& b);
// 0 .. rank-1 of an axis that may count from the end.
int64_t axis_of(int64_t axis, int64_t rank);

// Copies `source`, broadcast, into the view `target`, rounding to its type. They may overlap.
void assign(const Numbers& target, const Numbers& source);

// Calls row(offsets, count, steps) for runs along the last axis of views of one shape; offsets[i] is the
// place in views[i]'s buffer, steps[i] its stride along the run. Contiguous views make one run.
template <size_t N, typename Row>
void for_each_row(const std::array<const Numbers*, N>& views, const Row& row) {
  const Numbers& first = *views[0];
  const int64_t total = first.count();
  if (total == 0) return;
  std::array<int64_t, N> offsets, steps;
  bool flat = true;
  for (size_t i = 0; i < N; ++i) {
    offsets[i] = views[i]->offset;
    steps[i] = 1;
    flat = flat && views[i]->contiguous();
  }
  if (flat) return row(offsets, total, steps);
  const int64_t rank = first.rank();
  const int64_t length = first.shape[rank - 1];
  for (size_t i = 0; i < N; ++i) steps[i] = views[i]->strides[rank - 1];
  Shape at(rank, 0);
  for (;;) {
    row(offsets, length, steps);
    int64_t axis = rank - 2;
    for (; axis >= 0; --axis) {
      for (size_t i = 0; i < N; ++i) offsets[i] += views[i]->strides[axis];
      if (++at[axis] < first.shape[axis]) break;
      for (size_t i = 0; i < N; ++i) offsets[i] -= views[i]->strides[axis] * first.shape[axis];
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace cuset::script
