// "matmul": products of matrices, one for each index of the leading axes, which are stretched to each other.

#include <fmt/format.h>
//
// A product is summed in pieces of 64 terms, in each of them four at a time, so that the error stays near
// that of one addition times the square root of a few dozen.
#include <algorithm>

#include "tasks/oracles/native_expression.h"
#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

constexpr size_t kPiece = 64;
constexpr size_t kColumns = 512;  // whose sums stay in the first cache

// Last two axes swapped.
Tensor swapped(const Tensor& matrices) {
  const size_t rank = matrices.shape.size();
  const auto rows = static_cast<size_t>(matrices.shape[rank - 2]);
  const auto columns = static_cast<size_t>(matrices.shape[rank - 1]);
  Tensor result{matrices.shape, std::vector<double>(matrices.values.size())};
  std::swap(result.shape[rank - 2], result.shape[rank - 1]);
  for (size_t first = 0; first < matrices.values.size(); first += rows * columns) {
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < columns; ++j) {
        result.values[first + j * rows + i] = matrices.values[first + i * columns + j];
      }
    }
  }
  return result;
}

struct Matrices {
  const double* a;  // [rows, inner]
  const double* b;  // [inner, columns]
  double* c;        // [rows, columns]
  size_t rows, inner, columns;
};

// sums[j] += the terms first .. last of row i and columns from `column` on.
void add_piece(const Matrices& m, const double* a_row, size_t first, size_t last, size_t column,
               std::span<double> sums) {
  size_t k = first;
  for (; k + 4 <= last; k += 4) {
    const double* b0 = m.b + k * m.columns + column;
    const double* b1 = b0 + m.columns;
    const double* b2 = b1 + m.columns;
    const double* b3 = b2 + m.columns;
    for (size_t j = 0; j < sums.size(); ++j) {
      sums[j] += (a_row[k] * b0[j] + a_row[k + 1] * b1[j]) + (a_row[k + 2] * b2[j] + a_row[k + 3] * b3[j]);
    }
  }
  for (; k < last; ++k) {
    for (size_t j = 0; j < sums.size(); ++j) sums[j] += a_row[k] * m.b[k * m.columns + column + j];
  }
}

void multiply(const Matrices& m) {
  std::vector<double> sums(std::min(kColumns, m.columns));
  for (size_t first = 0; first < m.inner; first += kPiece) {
    const size_t last = std::min(first + kPiece, m.inner);
    for (size_t column = 0; column < m.columns; column += kColumns) {
      const auto part = std::span(sums).first(std::min(kColumns, m.columns - column));
      for (size_t i = 0; i < m.rows; ++i) {
        std::fill(part.begin(), part.end(), 0);
        add_piece(m, m.a + i * m.inner, first, last, column, part);
        double* c = m.c + i * m.columns + column;
        for (size_t j = 0; j < part.size(); ++j) c[j] += part[j];
      }
    }
  }
}

Tensor matrix_operand(const NativeCall& call, std::string_view name, std::string_view transpose) {
  Tensor tensor = call.operand(name);
  if (tensor.shape.empty()) call.refuse(fmt::format("its operand {} is one number", name));
  if (tensor.shape.size() == 1) {
    if (call.parameter(transpose).boolean_or(false))
      call.parameter(transpose).refuse("needs a matrix, not a vector");
    // A row on the left, a column on the right.
    tensor.shape.insert(name == "a" ? tensor.shape.begin() : tensor.shape.end(), 1);
    return tensor;
  }
  return call.parameter(transpose).boolean_or(false) ? swapped(tensor) : tensor;
}

Shape leading_axes(const NativeCall& call, const Tensor& a, const Tensor& b) {
  Shape left(a.shape.begin(), a.shape.end() - 2);
  Shape right(b.shape.begin(), b.shape.end() - 2);
  if (stretches_to(left, right)) return right;
  if (stretches_to(right, left)) return left;
  call.refuse(fmt::format("the leading axes of {} and {} do not fit", text_of(a.shape), text_of(b.shape)));
}

// The number of the matrix of `tensor` that belongs to each index of the leading axes.
std::vector<double> matrix_numbers(const Tensor& tensor, const Shape& leading) {
  Tensor numbers{Shape(tensor.shape.begin(), tensor.shape.end() - 2), {}};
  numbers.values.resize(count_of(numbers.shape));
  for (size_t i = 0; i < numbers.values.size(); ++i) numbers.values[i] = static_cast<double>(i);
  Tensor stretched{leading, std::vector<double>(count_of(leading))};
  const Tensor* variable = &numbers;
  Expression("x", {"x"}).evaluate({&variable, 1}, stretched);
  return stretched.values;
}

void add_bias(const NativeCall& call, Tensor& result, size_t columns) {
  const Tensor bias = call.operand("bias");
  if (bias.values.size() != columns) {
    call.refuse(
        fmt::format("bias has the shape {}, but the product {} columns", text_of(bias.shape), columns));
  }
  for (size_t i = 0; i < result.values.size(); ++i) result.values[i] += bias.values[i % columns];
}

}  // namespace

NativeResults matmul_oracle(const NativeCall& call) {
  const Tensor a = matrix_operand(call, "a", "transpose_a");
  const Tensor b = matrix_operand(call, "b", "transpose_b");
  const auto rows = static_cast<size_t>(a.shape.rbegin()[1]);
  const auto inner = static_cast<size_t>(a.shape.back());
  const auto columns = static_cast<size_t>(b.shape.back());
  if (b.shape.rbegin()[1] != a.shape.back()) {
    call.refuse(fmt::format("{} times {} does not fit", text_of(a.shape), text_of(b.shape)));
  }
  const Shape leading = leading_axes(call, a, b);
  Shape shape = leading;
  shape.insert(shape.end(), {static_cast<int64_t>(rows), static_cast<int64_t>(columns)});
  Tensor result = call.result(shape);
  const std::vector<double> a_numbers = matrix_numbers(a, leading);
  const std::vector<double> b_numbers = matrix_numbers(b, leading);
  for (size_t i = 0; i < a_numbers.size(); ++i) {
    multiply({a.values.data() + static_cast<size_t>(a_numbers[i]) * rows * inner,
              b.values.data() + static_cast<size_t>(b_numbers[i]) * inner * columns,
              result.values.data() + i * rows * columns, rows, inner, columns});
  }
  if (call.has("bias")) add_bias(call, result, columns);
  return {std::move(result)};
}

}  // namespace cuset::tasks
