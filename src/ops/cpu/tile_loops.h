// Inner loops of attention for training on the CPU (tiled_attention.h), float32, compiled for the vector
// instructions of several machines: small matrix products with all sums in registers, and what softmax does
// with a tile of scores. A tile has a row for each of some keys and a column for each of 48 queries, so that
// maxima and sums over keys run down the columns, without sums across a register.
//
// Scores are in units of log 2: weights are 2^score. loop_sets.h says which bits are promised: a product's
// sum runs from the first entry to the last, and is then added to what c holds. They know nothing of tensors
// and threads.
#pragma once

#include <cstdint>

namespace cuset::ops {

inline constexpr int64_t kTileQueries = 48;  // three registers of AVX512
inline constexpr int64_t kTileRowStep = 8;   // rows of a product are a multiple of this
inline constexpr int64_t kTileColumnStep = 16;

// c = a b, or c = c * factor of the column + a b. Entry (i, k) of a is a[i * a_row + k * a_column], where one
// of both steps is 1; rows of b and c are contiguous.
struct TileProduct {
  int64_t rows;     // of a and c, a multiple of 8
  int64_t inner;    // columns of a, rows of b
  int64_t columns;  // of b and c, a multiple of 16
  const float* a;
  int64_t a_row;
  int64_t a_column;
  const float* b;
  int64_t b_row;
  float* c;
  int64_t c_row;
  bool add;              // else c is replaced
  const float* factors;  // [columns], or null: 1
};

// Scores of further keys. Each of the arrays behind them has one entry for every query.
struct TileScores {
  float* scores;  // [rows, 48]; becomes the weights 2^(score - largest)
  int64_t rows;
  float* largest;  // score so far
  float* sums;     // of the weights so far
  float* factors;  // becomes what results so far are to be multiplied by: their largest score was another
};

// Scores and the gradients of their weights.
struct TileGradients {
  float* scores;     // [rows, 48]; becomes the weights 2^(score - log sum)
  float* gradients;  // [rows, 48]; becomes weight * (gradient - mean gradient): of the scores
  int64_t rows;
  const float* log_sums;
  const float* means;  // of the gradients, by weight
};

struct TileLoops {
  void (*product)(const TileProduct& product);
  void (*fold_scores)(const TileScores& tile);
  void (*score_gradients)(const TileGradients& tile);

  // sums[i] = sum over k of a[i * width + k] b[i * width + k].
  void (*row_products)(const float* a, const float* b, int64_t rows, int64_t width, float* sums);
};

// The widest that this machine runs.
const TileLoops& tile_loops();

}  // namespace cuset::ops
