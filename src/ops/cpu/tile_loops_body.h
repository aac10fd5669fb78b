// The loops of tile_loops.h; see loop_set_body.h.
#pragma once

#include <cstdint>

#include "ops/cpu/loop_arithmetic.h"
#include "ops/cpu/tile_loops.h"

namespace cuset::ops {
namespace {

// Sums of a block: rows times at most three registers.
constexpr int kBlockRows = CUSET_LOOP_SUMS >= 24 ? 8 : 4;
static_assert(kTileRowStep % kBlockRows == 0 && kTileQueries % kLanes == 0 && kTileColumnStep % kLanes == 0);

template <int kWidth>
CUSET_ALWAYS_INLINE void write_block(const TileProduct& product, int64_t row, int64_t column,
                                     const Vector (&sums)[kBlockRows][kWidth]) {
  for (int r = 0; r < kBlockRows; ++r) {
    for (int v = 0; v < kWidth; ++v) {
      const int64_t at = column + v * kLanes;
      float* to = product.c + (row + r) * product.c_row + at;
      Vector value = sums[r][v], before, factor;
      if (product.add) {
        load(to, before);
        if (product.factors != nullptr) {
          load(product.factors + at, factor);
          value = multiply_add(before, factor, value);
        } else {
          value += before;
        }
      }
      store(to, value);
    }
  }
}

// kWidth registers of columns. Where kByRow, the entries of a row of a are neighbors, else those of a column.
template <int kWidth, bool kByRow>
CUSET_ALWAYS_INLINE void multiply_tile_block(const TileProduct& product, int64_t row, int64_t column) {
  const int64_t step = kByRow ? product.a_row : product.a_column, inner = product.inner;
  const float* a = product.a + (kByRow ? row * step : row);
  const float* b = product.b + column;
  Vector sums[kBlockRows][kWidth] = {};
  for (int64_t k = 0; k < inner; ++k) {
    Vector weight[kWidth];
    for (int v = 0; v < kWidth; ++v) load(b + k * product.b_row + v * kLanes, weight[v]);
    for (int r = 0; r < kBlockRows; ++r) {
      const float value = kByRow ? a[r * step + k] : a[k * step + r];
      for (int v = 0; v < kWidth; ++v) sums[r][v] = multiply_add(weight[v], value, sums[r][v]);
    }
  }
  write_block<kWidth>(product, row, column, sums);
}

template <int kWidth, bool kByRow>
void multiply_tile_columns(const TileProduct& product, int64_t column) {
  for (int64_t row = 0; row < product.rows; row += kBlockRows)
    multiply_tile_block<kWidth, kByRow>(product, row, column);
}

// Three registers of columns at a time; the last four as two and two.
template <bool kByRow>
CUSET_ALWAYS_INLINE void multiply_tile(const TileProduct& product) {
  int64_t column = 0;
  const auto left = [&] { return (product.columns - column) / kLanes; };
  for (; left() > 4 || left() == 3; column += 3 * kLanes) multiply_tile_columns<3, kByRow>(product, column);
  for (; left() >= 2; column += 2 * kLanes) multiply_tile_columns<2, kByRow>(product, column);
  if (left() == 1) multiply_tile_columns<1, kByRow>(product, column);
}

void tile_product_loop(const TileProduct& product) {
  product.a_column == 1 ? multiply_tile<true>(product) : multiply_tile<false>(product);
}

// 2^x for x of at most about 0, to about one unit in the last place; 0 below 2^-126.5; not-a-number stays what
// it is. x = n + r with |r| <= 1/2, 2^r by an interpolation at the Chebyshev nodes, 1 at r = 0.
CUSET_ALWAYS_INLINE Vector power_of_two(const Vector& x) {
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number, its last bits
  const Vector lowest = in_every_lane(-127.0f);
  const Vector inside = lowest > x ? lowest : x;  // also where x is not a number
  const Vector shifted = inside + rounder;
  const Vector r = inside - (shifted - rounder);
  Vector p = in_every_lane(0.000154531634f);
  p = multiply_add(p, r, 0.00133908633f);
  p = multiply_add(p, r, 0.00961808302f);
  p = multiply_add(p, r, 0.0555035695f);
  p = multiply_add(p, r, 0.240226507f);
  p = multiply_add(p, r, 0.693147182f);
  p = multiply_add(p, r, 1.0f);
  const Words power = (reinterpret_cast<Words>(shifted) << 23) + 0x3F800000u;
  return p * reinterpret_cast<Vector>(power);
}

constexpr int kQueryVectors = kTileQueries / kLanes;

CUSET_ALWAYS_INLINE void find_largest(const float* scores, int64_t rows, Vector (&largest)[kQueryVectors]) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int v = 0; v < kQueryVectors; ++v) {
      Vector score;
      load(scores + row * kTileQueries + v * kLanes, score);
      largest[v] = largest[v] < score ? score : largest[v];
    }
  }
}

void fold_scores_loop(const TileScores& tile) {
  Vector largest[kQueryVectors], sums[kQueryVectors];
  for (int v = 0; v < kQueryVectors; ++v) load(tile.largest + v * kLanes, largest[v]);
  find_largest(tile.scores, tile.rows, largest);
  for (int v = 0; v < kQueryVectors; ++v) {
    Vector before;
    load(tile.largest + v * kLanes, before);
    const Vector factor = power_of_two(before - largest[v]);
    store(tile.factors + v * kLanes, factor);
    store(tile.largest + v * kLanes, largest[v]);
    load(tile.sums + v * kLanes, sums[v]);
    sums[v] *= factor;
  }
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (int v = 0; v < kQueryVectors; ++v) {
      float* score = tile.scores + row * kTileQueries + v * kLanes;
      Vector value;
      load(score, value);
      value = power_of_two(value - largest[v]);
      store(score, value);
      sums[v] += value;
    }
  }
  for (int v = 0; v < kQueryVectors; ++v) store(tile.sums + v * kLanes, sums[v]);
}

void score_gradients_loop(const TileGradients& tile) {
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (int v = 0; v < kQueryVectors; ++v) {
      const int64_t at = row * kTileQueries + v * kLanes;
      Vector weight, gradient, log_sum, mean;
      load(tile.scores + at, weight);
      load(tile.log_sums + v * kLanes, log_sum);
      weight = power_of_two(weight - log_sum);
      store(tile.scores + at, weight);
      load(tile.gradients + at, gradient);
      load(tile.means + v * kLanes, mean);
      store(tile.gradients + at, weight * (gradient - mean));
    }
  }
}

void row_products_loop(const float* a, const float* b, int64_t rows, int64_t width, float* sums) {
  for (int64_t row = 0; row < rows; ++row) {
    const float *x = a + row * width, *y = b + row * width;
    SumLanes lanes(0);
    lanes.take(width, [&](int64_t i, auto vector, const Vector& sum) __attribute__((always_inline)) {
      return multiply_add(vector.read(x + i), vector.read(y + i), sum);
    });
    sums[row] = lanes.total();
  }
}

}  // namespace
}  // namespace cuset::ops
