// `#pragma omp simd` tells the compiler which loops to vectorise and which sums it may reorder
// (-fopenmp-simd; no threads come of it).
#include "ops/vector_loops.h"

#include <algorithm>

#include "ops/vector_clones.h"

namespace cuset {
namespace {

constexpr int64_t kTile = 512;  // columns of a product done together, so that they stay in the nearest cache

// c[Rows, columns] += a[Rows, Inner] b[Inner, columns], with all of a in registers.
template <int Rows, int Inner>
CUSET_ALWAYS_INLINE void add_product_tile(const SmallMatrix& a, const SmallMatrix& b, float* c, int64_t c_row,
                                          int64_t columns) {
  float weight[Rows][Inner];
  for (int i = 0; i < Rows; ++i) {
    for (int k = 0; k < Inner; ++k) weight[i][k] = a.data[i * a.row + k * a.column];
  }
#pragma omp simd
  for (int64_t j = 0; j < columns; ++j) {
    for (int i = 0; i < Rows; ++i) {
      float sum = c[i * c_row + j];
      for (int k = 0; k < Inner; ++k) sum += weight[i][k] * b.data[k * b.row + j];
      c[i * c_row + j] = sum;
    }
  }
}

template <int Rows>
CUSET_ALWAYS_INLINE void add_product_rows(int64_t inner, const SmallMatrix& a, const SmallMatrix& b, float* c,
                                          int64_t c_row, int64_t columns) {
  const auto from = [](const SmallMatrix& x, int64_t offset) {
    return SmallMatrix{x.data + offset, x.row, x.column};
  };
  int64_t k = 0;
  for (; k + 8 <= inner; k += 8)
    add_product_tile<Rows, 8>(from(a, k * a.column), from(b, k * b.row), c, c_row, columns);
  for (; k < inner; ++k)
    add_product_tile<Rows, 1>(from(a, k * a.column), from(b, k * b.row), c, c_row, columns);
}

// Two rows of a with four of b: eight sums in registers.
struct DotRows {
  const float* a[2];
  const float* b[4];
};

CUSET_ALWAYS_INLINE void dot_rows(const DotRows& rows, int64_t inner, float (&sums)[2][4]) {
  float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
  const float *a0 = rows.a[0], *a1 = rows.a[1];
  const float *b0 = rows.b[0], *b1 = rows.b[1], *b2 = rows.b[2], *b3 = rows.b[3];
#pragma omp simd reduction(+ : s00, s01, s02, s03, s10, s11, s12, s13)
  for (int64_t k = 0; k < inner; ++k) {
    s00 += a0[k] * b0[k];
    s01 += a0[k] * b1[k];
    s02 += a0[k] * b2[k];
    s03 += a0[k] * b3[k];
    s10 += a1[k] * b0[k];
    s11 += a1[k] * b1[k];
    s12 += a1[k] * b2[k];
    s13 += a1[k] * b3[k];
  }
  const float all[2][4] = {{s00, s01, s02, s03}, {s10, s11, s12, s13}};
  std::copy_n(&all[0][0], 8, &sums[0][0]);
}

}  // namespace

CUSET_VECTOR_CLONES void add_product(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b,
                                     float* c, int64_t c_row) {
  for (int64_t j = 0; j < size.columns; j += kTile) {
    const int64_t columns = std::min(kTile, size.columns - j);
    const SmallMatrix tile{b.data + j, b.row};
    int64_t i = 0;
    for (; i + 2 <= size.rows; i += 2) {
      add_product_rows<2>(size.inner, {a.data + i * a.row, a.row, a.column}, tile, c + i * c_row + j, c_row,
                          columns);
    }
    if (i < size.rows) {
      add_product_rows<1>(size.inner, {a.data + i * a.row, a.row, a.column}, tile, c + i * c_row + j, c_row,
                          columns);
    }
  }
}

// Rows beyond the last repeat it; their sums are left out.
CUSET_VECTOR_CLONES void dot_products(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b,
                                      float scale, float* c) {
  for (int64_t j = 0; j < size.columns; j += 4) {
    DotRows rows;
    for (int64_t n = 0; n < 4; ++n) rows.b[n] = b.data + std::min(j + n, size.columns - 1) * b.row;
    for (int64_t i = 0; i < size.rows; i += 2) {
      for (int64_t m = 0; m < 2; ++m) rows.a[m] = a.data + std::min(i + m, size.rows - 1) * a.row;
      float sums[2][4];
      dot_rows(rows, size.inner, sums);
      for (int64_t m = 0; m < std::min<int64_t>(2, size.rows - i); ++m) {
        for (int64_t n = 0; n < std::min<int64_t>(4, size.columns - j); ++n)
          c[(i + m) * size.columns + j + n] = scale * sums[m][n];
      }
    }
  }
}

CUSET_VECTOR_CLONES void multiply(const float* x, const float* factors, int64_t width, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = x[i] * factors[i];
}

CUSET_VECTOR_CLONES void add_multiplied(const float* x, const float* factors, int64_t width, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] += x[i] * factors[i];
}

}  // namespace cuset
