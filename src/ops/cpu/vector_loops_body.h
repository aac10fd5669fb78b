// The loops of vector_loops.h; see loop_set_body.h.
#pragma once

#include <cstdint>

#include "ops/cpu/loop_arithmetic.h"
#include "ops/cpu/vector_loops.h"

namespace cuset::ops {
namespace {

constexpr int64_t kTile = 512;  // columns of a product done together, so that they stay in the nearest cache

CUSET_ALWAYS_INLINE int64_t smaller_of(int64_t a, int64_t b) { return a < b ? a : b; }

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
      for (int k = 0; k < Inner; ++k) sum = multiply_add(weight[i][k], b.data[k * b.row + j], sum);
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

void add_product_loop(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float* c,
                      int64_t c_row) {
  for (int64_t j = 0; j < size.columns; j += kTile) {
    const int64_t columns = smaller_of(kTile, size.columns - j);
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

// A dot product is summed up in eight lanes, lane k % 8 in the order of k: 16 would be too many for the sums
// of all rows below to stay in the registers of AVX2, and wider ones are no faster here.
constexpr int kDotLanes = 8;

#if CUSET_LOOP_LANES > 8
typedef float DotVector __attribute__((vector_size(4 * kDotLanes)));
typedef float UnalignedDotVector __attribute__((vector_size(4 * kDotLanes), aligned(4)));

CUSET_ALWAYS_INLINE void load(const float* from, DotVector& to) {
  to = *reinterpret_cast<const UnalignedDotVector*>(from);
}
CUSET_ALWAYS_INLINE void store(float* to, const DotVector& value) {
  *reinterpret_cast<UnalignedDotVector*>(to) = value;
}
CUSET_ALWAYS_INLINE DotVector multiply_add(const DotVector& a, const DotVector& b, const DotVector& c) {
  return _mm256_fmadd_ps(a, b, c);
}
#else
typedef Vector DotVector;
#endif

constexpr int kDotVectorLanes = sizeof(DotVector) / sizeof(float);
constexpr int kDotVectors = kDotLanes / kDotVectorLanes;

// Two rows of a with some of b: all sums in registers.
constexpr int kRowsOfA = 2;
constexpr int kRowsOfB = 4 / kDotVectors;

struct DotRows {
  const float* a[kRowsOfA];
  const float* b[kRowsOfB];
};

CUSET_ALWAYS_INLINE void dot_rows(const DotRows& rows, int64_t inner, float (&sums)[kRowsOfA][kRowsOfB]) {
  DotVector parts[kRowsOfA][kRowsOfB][kDotVectors] = {};
  int64_t k = 0;
  for (; k + kDotLanes <= inner; k += kDotLanes) {
    for (int v = 0; v < kDotVectors; ++v) {
      DotVector a[kRowsOfA], b;
      for (int m = 0; m < kRowsOfA; ++m) load(rows.a[m] + k + v * kDotVectorLanes, a[m]);
      for (int n = 0; n < kRowsOfB; ++n) {
        load(rows.b[n] + k + v * kDotVectorLanes, b);
        for (int m = 0; m < kRowsOfA; ++m) parts[m][n][v] = multiply_add(a[m], b, parts[m][n][v]);
      }
    }
  }
  for (int m = 0; m < kRowsOfA; ++m) {
    for (int n = 0; n < kRowsOfB; ++n) {
      float lanes[kDotLanes];
      for (int v = 0; v < kDotVectors; ++v) store(lanes + v * kDotVectorLanes, parts[m][n][v]);
      for (int64_t j = 0; k + j < inner; ++j)
        lanes[j] = multiply_add(rows.a[m][k + j], rows.b[n][k + j], lanes[j]);
      sums[m][n] = total(lanes);
    }
  }
}

// Rows beyond the last repeat it; their sums are left out.
void dot_products_loop(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float scale,
                       float* c) {
  for (int64_t j = 0; j < size.columns; j += kRowsOfB) {
    DotRows rows;
    for (int64_t n = 0; n < kRowsOfB; ++n) rows.b[n] = b.data + smaller_of(j + n, size.columns - 1) * b.row;
    for (int64_t i = 0; i < size.rows; i += kRowsOfA) {
      for (int64_t m = 0; m < kRowsOfA; ++m) rows.a[m] = a.data + smaller_of(i + m, size.rows - 1) * a.row;
      float sums[kRowsOfA][kRowsOfB];
      dot_rows(rows, size.inner, sums);
      for (int64_t m = 0; m < smaller_of(kRowsOfA, size.rows - i); ++m) {
        for (int64_t n = 0; n < smaller_of(kRowsOfB, size.columns - j); ++n)
          c[(i + m) * size.columns + j + n] = scale * sums[m][n];
      }
    }
  }
}

void multiply_loop(const float* x, const float* factors, int64_t width, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = x[i] * factors[i];
}

void add_multiplied_loop(const float* x, const float* factors, int64_t width, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = multiply_add(x[i], factors[i], y[i]);
}

}  // namespace
}  // namespace cuset::ops
