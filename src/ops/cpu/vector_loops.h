// Inner loops of the CPU operations on float32 rows, compiled for the vector instructions of several
// machines. They know nothing of tensors and threads: callers hand them a few rows that fit in the cache. The
// bits of a row of c do not depend on the other rows; loop_sets.h has the rest of the promise.
#pragma once

#include <cstdint>

namespace cuset::ops {

// A small matrix in memory: entry (i, j) is data[i * row + j * column].
struct SmallMatrix {
  const float* data;
  int64_t row;
  int64_t column = 1;
};

struct ProductSize {
  int64_t rows;
  int64_t inner;
  int64_t columns;
};

// c[rows, columns] += a[rows, inner] b[inner, columns]: for wide rows and few of them. Rows of b and c are
// contiguous.
void add_product(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float* c,
                 int64_t c_row);

// c[rows, columns] = scale * a[rows, inner] b[columns, inner]^T: for wide rows and few of them. Rows of all
// are contiguous; c's follow each other.
void dot_products(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float scale, float* c);

// y = x * factors; y may be x.
void multiply(const float* x, const float* factors, int64_t width, float* y);

// y += x * factors.
void add_multiplied(const float* x, const float* factors, int64_t width, float* y);

}  // namespace cuset::ops
