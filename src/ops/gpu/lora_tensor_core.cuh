// The adapter products on tensor cores: bfloat16, rows of whole 16-byte groups.
//
// mma.m16n8k16 gives lane `lane` of a warp, with group = lane / 4 and quad = lane % 4:
//   A [16, 16]   pairs  (group, 2 quad) (group + 8, 2 quad) (group, 2 quad + 8) (group + 8, 2 quad + 8)
//   B [16, 8]    pairs along the 16: (2 quad, group) (2 quad + 8, group)
//   sum [16, 8]  (group, 2 quad) (group, 2 quad + 1) (group + 8, 2 quad) (group + 8, 2 quad + 1)
// Which element of the problem is called number k, m or n is free as long as both factors agree. Each kernel
// numbers them so that a lane's pairs are eight neighboring columns of a row: one 16-byte access and one
// Philox block.
#pragma once

#include "ops/gpu/dropout_mask.cuh"
#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

struct LoraShape {
  int64_t rows;
  int64_t in;
  int rank;
};

__device__ void multiply_add(float (&sum)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,
                             uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

__device__ uint4 load_16_bytes(const __nv_bfloat16* from) { return *reinterpret_cast<const uint4*>(from); }

__device__ uint32_t bits_of(const __nv_bfloat16* from) {
  return __ldg(reinterpret_cast<const uint16_t*>(from));
}

__device__ int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// ---- xa = drop(x) A^T: m = rows, n = ranks, k = columns.
// A block takes 16 or 32 rows; its warps take turns in the columns, 32 at a time, and add their sums up at
// the end. A quad's four lanes hold 32 columns of a row: k = 2 quad of the first product is column 8 quad.

constexpr int kDownWarps = 16;

// A lane's eight columns of rows group, group + 8, ... Rows past the end repeat the last: what they add to is
// never written.
template <int kRowTiles>
__device__ void load_rows(uint4 (&value)[2 * kRowTiles], const __nv_bfloat16* const (&x_row)[2 * kRowTiles],
                          int64_t column, int64_t in) {
#pragma unroll
  for (int r = 0; r < 2 * kRowTiles; ++r) {
    value[r] = column < in ? load_16_bytes(x_row[r] + column) : uint4{};
  }
}

// The same columns of ranks group, group + 8, ... of A.
template <int kRankTiles>
__device__ void load_ranks(uint4 (&value)[kRankTiles], const __nv_bfloat16* a, int64_t column,
                           const LoraShape& shape) {
  const int group = threadIdx.x % kWarp / 4;
#pragma unroll
  for (int n = 0; n < kRankTiles; ++n) {
    const bool exists = column < shape.in && group + 8 * n < shape.rank;
    value[n] = exists ? load_16_bytes(a + (group + 8 * n) * shape.in + column) : uint4{};
  }
}

template <int kRowTiles, int kRankTiles>
__device__ void add_products(float (&sum)[kRowTiles][kRankTiles][4], const uint4 (&x)[2 * kRowTiles],
                             const uint4 (&a)[kRankTiles]) {
#pragma unroll
  for (int m = 0; m < kRowTiles; ++m) {
    const uint4 upper = x[2 * m];
    const uint4 lower = x[2 * m + 1];
#pragma unroll
    for (int n = 0; n < kRankTiles; ++n) {
      multiply_add(sum[m][n], upper.x, lower.x, upper.y, lower.y, a[n].x, a[n].y);
      multiply_add(sum[m][n], upper.z, lower.z, upper.w, lower.w, a[n].z, a[n].w);
    }
  }
}

// Adds up the warps' sums of one tile of eight ranks, in order, and writes them.
template <int kRowTiles>
__device__ void write_down(const float (&sum)[kRowTiles][4], int64_t first_row, int first_rank,
                           const LoraShape& shape, float factor, __nv_bfloat16* xa) {
  __shared__ float of_warp[kDownWarps][16 * kRowTiles][8];
  const int warp = threadIdx.x / kWarp;
  const int group = threadIdx.x % kWarp / 4;
  const int quad = threadIdx.x % 4;
  __syncthreads();  // the previous tile's readers are done
#pragma unroll
  for (int m = 0; m < kRowTiles; ++m) {
#pragma unroll
    for (int i = 0; i < 4; ++i) of_warp[warp][16 * m + group + i / 2 * 8][2 * quad + i % 2] = sum[m][i];
  }
  __syncthreads();
  const int row = threadIdx.x / 8;
  const int rank = first_rank + threadIdx.x % 8;
  if (row >= 16 * kRowTiles || first_row + row >= shape.rows || rank >= shape.rank) return;
  float total = 0.0f;
#pragma unroll
  for (int w = 0; w < kDownWarps; ++w) total += of_warp[w][row][threadIdx.x % 8];
  xa[(first_row + row) * shape.rank + rank] = from_float<__nv_bfloat16>(factor * total);
}

template <int kRowTiles, int kRankTiles, bool kDrops>
__global__ void __launch_bounds__(kDownWarps* kWarp)
    down_kernel(LoraShape shape, const __nv_bfloat16* x, const __nv_bfloat16* a, __nv_bfloat16* xa,
                DropoutMask mask) {
  const int group = threadIdx.x % kWarp / 4;
  const int quad = threadIdx.x % 4;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * (16 * kRowTiles);
  const __nv_bfloat16* x_row[2 * kRowTiles];
  int64_t key[2 * kRowTiles];
#pragma unroll
  for (int r = 0; r < 2 * kRowTiles; ++r) {
    const int64_t row = smaller(first_row + group + 8 * r, shape.rows - 1);
    x_row[r] = x + row * shape.in;
    key[r] = dropout_key_of<kDrops>(mask, row);
  }

  float sum[kRowTiles][kRankTiles][4] = {};
  uint4 of_x[2 * kRowTiles];
  int64_t start = threadIdx.x / kWarp * 32;  // of the warp's 32 columns
  load_rows<kRowTiles>(of_x, x_row, start + 8 * quad, shape.in);
#pragma unroll(kRankTiles <= 2 ? 2 : 1)
  for (; start < shape.in; start += kDownWarps * 32) {
    const int64_t column = start + 8 * quad;
    uint4 of_a[kRankTiles];
    uint4 next[2 * kRowTiles];
    load_ranks<kRankTiles>(of_a, a, column, shape);
    // Under way while this step is computed.
    load_rows<kRowTiles>(next, x_row, column + kDownWarps * 32, shape.in);
#pragma unroll
    for (int r = 0; r < 2 * kRowTiles; ++r) {
      if constexpr (kDrops) of_x[r] = drop_eight(of_x[r], mask, key[r], column / 8);
    }
    add_products<kRowTiles, kRankTiles>(sum, of_x, of_a);
#pragma unroll
    for (int r = 0; r < 2 * kRowTiles; ++r) of_x[r] = next[r];
  }
#pragma unroll
  for (int n = 0; n < kRankTiles; ++n) {
    float tile[kRowTiles][4];
#pragma unroll
    for (int m = 0; m < kRowTiles; ++m) {
#pragma unroll
      for (int i = 0; i < 4; ++i) tile[m][i] = sum[m][n][i];
    }
    write_down<kRowTiles>(tile, first_row, 8 * n, shape, mask.factor, xa);
  }
}

// ---- dx = dx + drop(u A): m = rows, n = columns, k = ranks.
// A warp keeps its 32 columns of A in registers over a range of rows. Of product j, n is column
// 8 (n / 2) + 2 j + n % 2, so that the sums of products 0 .. 3 are eight neighboring columns.

constexpr int kUpWarps = 8;
constexpr int kUpColumns = 32 * kUpWarps;
constexpr int kUpRows = 128;  // of a block

// Ranks k and k + 1 of a row of u, packed.
__device__ uint32_t pair_of_ranks(const __nv_bfloat16* u_row, int k, int rank) {
  if (rank % 2 == 0) return k < rank ? __ldg(reinterpret_cast<const uint32_t*>(u_row + k)) : 0;
  const uint32_t low = k < rank ? bits_of(u_row + k) : 0;
  const uint32_t high = k + 1 < rank ? bits_of(u_row + k + 1) : 0;
  return low | high << 16;
}

// One column of A at ranks k and k + 1, packed.
__device__ uint32_t pair_of_a(const __nv_bfloat16* a, int k, int64_t column, const LoraShape& shape) {
  if (column >= shape.in) return 0;
  const uint32_t low = k < shape.rank ? bits_of(a + k * shape.in + column) : 0;
  const uint32_t high = k + 1 < shape.rank ? bits_of(a + (k + 1) * shape.in + column) : 0;
  return low | high << 16;
}

__device__ uint32_t add_pair(uint32_t pair, float low, float high) {
  return bfloat16_pair(__uint_as_float(pair << 16) + low, __uint_as_float(pair & 0xffff0000u) + high);
}

// Eight columns of dx and of u A, of which `half` 0 is row group and 1 is row group + 8 of the products.
template <bool kDrops>
__device__ uint4 add_dropped(uint4 dx, const float (&sum)[4][4], int half, const DropoutMask& mask,
                             int64_t key, int64_t eighth) {
  float value[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) value[k] = sum[k / 2][2 * half + k % 2] * mask.factor;
  if constexpr (kDrops) drop_eight(value, mask, key, eighth);
  return {add_pair(dx.x, value[0], value[1]), add_pair(dx.y, value[2], value[3]),
          add_pair(dx.z, value[4], value[5]), add_pair(dx.w, value[6], value[7])};
}

// A lane's eight columns of rows group and group + 8 of a tile.
__device__ void load_tile(uint4 (&value)[2], const __nv_bfloat16* dx, int64_t tile, int64_t column,
                          const LoraShape& shape) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int64_t row = tile + threadIdx.x % kWarp / 4 + 8 * half;
    if (row < shape.rows && column < shape.in) value[half] = load_16_bytes(dx + row * shape.in + column);
  }
}

// Steps of 16 ranks; where there is one tile of eight, the other eight are 0.
template <int kRankTiles>
constexpr int kRankSteps = (kRankTiles + 1) / 2;

// The 16 rows of u from `tile` on times the lane's columns of A.
template <int kRankTiles>
__device__ void multiply_tile(float (&sum)[4][4], const uint32_t (&factor)[kRankSteps<kRankTiles>][4][2],
                              const __nv_bfloat16* u, int64_t tile, const LoraShape& shape) {
  const int64_t row = tile + threadIdx.x % kWarp / 4;
  // Rows past the end repeat the last: what they give is never written.
  const __nv_bfloat16* upper = u + smaller(row, shape.rows - 1) * shape.rank;
  const __nv_bfloat16* lower = u + smaller(row + 8, shape.rows - 1) * shape.rank;
#pragma unroll
  for (int s = 0; s < kRankSteps<kRankTiles>; ++s) {
    const int k = 16 * s + threadIdx.x % 4 * 2;
    const uint32_t u0 = pair_of_ranks(upper, k, shape.rank);
    const uint32_t u1 = pair_of_ranks(lower, k, shape.rank);
    const uint32_t u2 = kRankTiles == 1 ? 0 : pair_of_ranks(upper, k + 8, shape.rank);
    const uint32_t u3 = kRankTiles == 1 ? 0 : pair_of_ranks(lower, k + 8, shape.rank);
#pragma unroll
    for (int j = 0; j < 4; ++j) multiply_add(sum[j], u0, u1, u2, u3, factor[s][j][0], factor[s][j][1]);
  }
}

template <int kRankTiles, bool kAccumulate, bool kDrops>
__global__ void __launch_bounds__(kUpWarps* kWarp)
    up_kernel(LoraShape shape, const __nv_bfloat16* u, const __nv_bfloat16* a, __nv_bfloat16* dx,
              DropoutMask mask) {
  const int group = threadIdx.x % kWarp / 4;
  const int quad = threadIdx.x % 4;
  const int64_t start = static_cast<int64_t>(blockIdx.y) * kUpColumns + threadIdx.x / kWarp * 32;
  if (start >= shape.in) return;
  uint32_t factor[kRankSteps<kRankTiles>][4][2];
#pragma unroll
  for (int s = 0; s < kRankSteps<kRankTiles>; ++s) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int64_t column = start + 8 * (group / 2) + 2 * j + group % 2;
      factor[s][j][0] = pair_of_a(a, 16 * s + 2 * quad, column, shape);
      factor[s][j][1] = kRankTiles == 1 ? 0 : pair_of_a(a, 16 * s + 2 * quad + 8, column, shape);
    }
  }

  const int64_t column = start + 8 * quad;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * kUpRows;
  const int64_t end_row = smaller(first_row + kUpRows, shape.rows);
  uint4 old[2] = {};
  if constexpr (kAccumulate) load_tile(old, dx, first_row, column, shape);
  for (int64_t tile = first_row; tile < end_row; tile += 16) {
    uint4 next[2] = {};
    // Under way while this tile is computed.
    if (kAccumulate && tile + 16 < end_row) load_tile(next, dx, tile + 16, column, shape);
    float sum[4][4] = {};
    multiply_tile<kRankTiles>(sum, factor, u, tile, shape);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int64_t row = tile + group + 8 * half;
      if (row < shape.rows && column < shape.in) {
        const int64_t key = dropout_key_of<kDrops>(mask, row);
        store_16_bytes(dx + row * shape.in + column,
                       add_dropped<kDrops>(old[half], sum, half, mask, key, column / 8));
      }
      old[half] = next[half];
    }
  }
}

// ---- parts = u^T drop(x): m = columns, n = ranks, k = rows.
// A block takes 64 columns of one range of rows; its warps take turns in the rows, 16 at a time, and add
// their sums up at the end. A lane holds columns 8 group .. 8 group + 7 of rows 2 quad, 2 quad + 1,
// 2 quad + 8 and 2 quad + 9. Of product j, m is column 8 m + j, or 8 (m - 8) + 4 + j for m of 8 and more.

constexpr int kGradientWarps = 8;
constexpr int kGradientColumns = 64;
constexpr int kGradientRanks = 32;  // of one launch

struct GradientRange {
  int64_t rows_per_part;  // whole turns of all warps
  int first_rank;         // of the launch
};

constexpr int64_t kGradientTurn = 16 * kGradientWarps;

template <int kRankTiles>
struct GradientStep {
  uint4 x[4];
  uint32_t u[kRankTiles][2];

  // Rows past the end repeat the last of x and have 0 for u.
  __device__ void load(const LoraShape& shape, const __nv_bfloat16* u_of_rank, const __nv_bfloat16* x_column,
                       int64_t tile, int rank) {
    const int quad = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int64_t row = smaller(tile + 2 * quad + i % 2 + i / 2 * 8, shape.rows - 1);
      x[i] = load_16_bytes(x_column + row * shape.in);
    }
#pragma unroll
    for (int n = 0; n < kRankTiles; ++n) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int64_t row = tile + 2 * quad + 8 * half;
        const __nv_bfloat16* from = u_of_rank + row * shape.rank + 8 * n;
        const bool has_rank = rank + 8 * n < shape.rank;
        const uint32_t low = has_rank && row < shape.rows ? bits_of(from) : 0;
        const uint32_t high = has_rank && row + 1 < shape.rows ? bits_of(from + shape.rank) : 0;
        u[n][half] = low | high << 16;
      }
    }
  }

  template <bool kDrops>
  __device__ void drop(const LoraShape& shape, const DropoutMask& mask, int64_t tile, int64_t eighth) {
    const int quad = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int64_t row = smaller(tile + 2 * quad + i % 2 + i / 2 * 8, shape.rows - 1);
      if constexpr (kDrops) x[i] = drop_eight(x[i], mask, dropout_key_of<true>(mask, row), eighth);
    }
  }

  // Column j of rows first and first + 1, packed.
  __device__ uint32_t pair_of_rows(int first, int j) const {
    const uint32_t words[2][4] = {{x[first].x, x[first].y, x[first].z, x[first].w},
                                  {x[first + 1].x, x[first + 1].y, x[first + 1].z, x[first + 1].w}};
    return __byte_perm(words[0][j / 2], words[1][j / 2], j % 2 == 0 ? 0x5410 : 0x7632);
  }

  __device__ void add_to(float (&sum)[kRankTiles][4][4]) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint32_t x0 = pair_of_rows(0, j);
      const uint32_t x1 = pair_of_rows(0, j + 4);
      const uint32_t x2 = pair_of_rows(2, j);
      const uint32_t x3 = pair_of_rows(2, j + 4);
#pragma unroll
      for (int n = 0; n < kRankTiles; ++n) multiply_add(sum[n][j], x0, x1, x2, x3, u[n][0], u[n][1]);
    }
  }
};

// Adds up the warps' sums of one tile of eight ranks, in order, and writes them.
inline __device__ void write_gradient(const float (&sum)[4][4], int first_rank, int64_t first_column,
                                      const LoraShape& shape, float factor, float* part) {
  __shared__ float of_warp[kGradientWarps][8][kGradientColumns];
  const int warp = threadIdx.x / kWarp;
  const int group = threadIdx.x % kWarp / 4;
  const int quad = threadIdx.x % 4;
  __syncthreads();  // the previous tile's readers are done
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) of_warp[warp][2 * quad + i % 2][8 * group + i / 2 * 4 + j] = sum[j][i];
  }
  __syncthreads();
  const int column = threadIdx.x % kGradientColumns;
  for (int rank = threadIdx.x / kGradientColumns; rank < 8;
       rank += kGradientWarps * kWarp / kGradientColumns) {
    if (first_rank + rank >= shape.rank || first_column + column >= shape.in) continue;
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < kGradientWarps; ++w) total += of_warp[w][rank][column];
    part[(first_rank + rank) * shape.in + first_column + column] = factor * total;
  }
}

template <int kRankTiles, bool kDrops>
__global__ void __launch_bounds__(kGradientWarps* kWarp, kRankTiles == 1   ? 3
                                                         : kRankTiles == 2 ? 2
                                                                           : 1)
    gradient_kernel(LoraShape shape, GradientRange range, const __nv_bfloat16* u, const __nv_bfloat16* x,
                    float* parts, DropoutMask mask) {
  const int group = threadIdx.x % kWarp / 4;
  const int rank = range.first_rank + group;
  const int64_t first_column = static_cast<int64_t>(blockIdx.x) * kGradientColumns;
  // Columns past the end repeat the last eight: what they add to is never written.
  const int64_t column = smaller(first_column + 8 * group, shape.in - 8);
  const int64_t end_row = smaller((blockIdx.y + int64_t{1}) * range.rows_per_part, shape.rows);
  int64_t tile = blockIdx.y * range.rows_per_part + threadIdx.x / kWarp * 16;

  float sum[kRankTiles][4][4] = {};
  GradientStep<kRankTiles> step;
  GradientStep<kRankTiles> next;
  step.load(shape, u + rank, x + column, tile, rank);
#pragma unroll 1
  for (; tile < end_row; tile += kGradientTurn) {
    // Under way while this step is computed.
    if (tile + kGradientTurn < end_row) next.load(shape, u + rank, x + column, tile + kGradientTurn, rank);
    step.template drop<kDrops>(shape, mask, tile, column / 8);
    step.add_to(sum);
    step = next;
  }
  float* part = parts + blockIdx.y * shape.rank * shape.in;
#pragma unroll
  for (int n = 0; n < kRankTiles; ++n) {
    write_gradient(sum[n], range.first_rank + 8 * n, first_column, shape, mask.factor, part);
  }
}

}  // namespace
}  // namespace cuset::ops
