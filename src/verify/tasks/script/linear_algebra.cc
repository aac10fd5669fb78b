#include "verify/tasks/script/linear_algebra.h"

#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

struct Sides {
  int64_t rows, inner, columns;
};

// c [rows, columns] = a [rows, inner] b [inner, columns].
void multiply(const double* a, const double* b, double* c, const Sides& sides, const Budget& budget) {
  std::fill_n(c, sides.rows * sides.columns, 0.0);
  for (int64_t row = 0; row < sides.rows; ++row) {
    budget.check_time();
    for (int64_t k = 0; k < sides.inner; ++k) {
      const double factor = a[row * sides.inner + k];
      for (int64_t column = 0; column < sides.columns; ++column)
        c[row * sides.columns + column] += factor * b[k * sides.columns + column];
    }
  }
}

Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

Shape with_sides(Shape shape, int64_t rows, int64_t columns) {
  shape.insert(shape.end(), {rows, columns});
  return shape;
}

}  // namespace

Numbers matrix_product(const Numbers& a, const Numbers& b) {
  if (a.rank() == 0 || b.rank() == 0) throw Failure("a matrix product with a single number");
  const Numbers left = a.rank() == 1 ? reshaped(a, {1, a.shape[0]}) : a;
  const Numbers right = b.rank() == 1 ? reshaped(b, {b.shape[0], 1}) : b;
  const Sides sides{left.shape.rbegin()[1], left.shape.back(), right.shape.back()};
  if (right.shape.rbegin()[1] != sides.inner)
    throw Failure("a matrix product of shapes {} and {}", text_of(a.shape), text_of(b.shape));
  const Shape stack = broadcast_shape(leading(left.shape), leading(right.shape));
  const Numbers x = packed(broadcast_to(left, with_sides(stack, sides.rows, sides.inner)));
  const Numbers y = packed(broadcast_to(right, with_sides(stack, sides.inner, sides.columns)));
  const NumberType type = result_type({a.type, 2, a.torch}, {b.type, 2, b.torch});
  Numbers result =
      new_numbers(with_sides(stack, sides.rows, sides.columns), {a.budget(), type, a.torch || b.torch});
  for (int64_t i = 0; i < product(stack); ++i)
    multiply(x.data() + i * sides.rows * sides.inner, y.data() + i * sides.inner * sides.columns,
             result.data() + i * sides.rows * sides.columns, sides, *a.budget());
  round_to(type, {result.data(), static_cast<size_t>(result.count())});
  Shape shape = stack;
  if (a.rank() > 1) shape.push_back(sides.rows);
  if (b.rank() > 1) shape.push_back(sides.columns);
  return reshaped(result, shape);
}

}  // namespace cuset::script
