// The adapter products in plain float32 arithmetic: float32, and rows that do not consist of whole 16-byte
// groups. A thread owns eight columns, one Philox block, at a time.
#pragma once

#include "ops/gpu/dropout_mask.cuh"
#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

constexpr int kPlainThreads = 128;
constexpr int kPlainRows = 4;   // of a thread at a time
constexpr int kPlainRanks = 4;  // of a thread

template <typename T>
struct LoraPlain {
  int64_t rows;
  int64_t in;
  int rank;
  DropoutMask mask;

  // Eight dropped, unscaled columns of a row.
  template <bool kWide, bool kDrops>
  __device__ void load_dropped(const T* x, int64_t row, int64_t eighth, float (&value)[8]) const {
    load_eight<T, kWide>(x + row * in + 8 * eighth, in - 8 * eighth, value);
    if constexpr (kDrops) drop_eight(value, mask, dropout_key_of<true>(mask, row), eighth);
  }
};

// xa = drop(x) A^T: a block takes a few rows and ranks.
template <typename T, bool kWide, bool kDrops>
__global__ void __launch_bounds__(kPlainThreads)
    plain_down_kernel(LoraPlain<T> lora, const T* x, const T* a, T* xa) {
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * kPlainRows;
  const int first_rank = blockIdx.y * kPlainRanks;
  float sum[kPlainRows][kPlainRanks] = {};
  for (int64_t eighth = threadIdx.x; 8 * eighth < lora.in; eighth += kPlainThreads) {
    float of_a[kPlainRanks][8];
#pragma unroll
    for (int n = 0; n < kPlainRanks; ++n) {
      const int rank = first_rank + n < lora.rank ? first_rank + n : lora.rank - 1;
      load_eight<T, kWide>(a + rank * lora.in + 8 * eighth, lora.in - 8 * eighth, of_a[n]);
    }
#pragma unroll
    for (int r = 0; r < kPlainRows; ++r) {
      if (first_row + r >= lora.rows) break;
      float of_x[8];
      lora.template load_dropped<kWide, kDrops>(x, first_row + r, eighth, of_x);
#pragma unroll
      for (int n = 0; n < kPlainRanks; ++n) {
#pragma unroll
        for (int k = 0; k < 8; ++k) sum[r][n] += of_x[k] * of_a[n][k];
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kPlainRows; ++r) {
#pragma unroll
    for (int n = 0; n < kPlainRanks; ++n) {
      const float total = block_sum<kPlainThreads>(sum[r][n]) * lora.mask.factor;
      const int64_t row = first_row + r;
      const int rank = first_rank + n;
      if (threadIdx.x == 0 && row < lora.rows && rank < lora.rank) {
        xa[row * lora.rank + rank] = from_float<T>(total);
      }
    }
  }
}

// dx = dx + drop(u A): a thread takes eight columns of a few rows.
template <typename T, bool kWide, bool kDrops>
__global__ void __launch_bounds__(kPlainThreads)
    plain_up_kernel(LoraPlain<T> lora, const T* u, const T* a, T* dx, bool accumulate) {
  const int64_t eighth = static_cast<int64_t>(blockIdx.y) * kPlainThreads + threadIdx.x;
  const int64_t left = lora.in - 8 * eighth;  // columns
  if (left <= 0) return;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * kPlainRows;
  float sum[kPlainRows][8] = {};
  for (int rank = 0; rank < lora.rank; ++rank) {
    float of_a[8];
    load_eight<T, kWide>(a + rank * lora.in + 8 * eighth, left, of_a);
#pragma unroll
    for (int r = 0; r < kPlainRows; ++r) {
      const float of_u = first_row + r < lora.rows ? to_float(u[(first_row + r) * lora.rank + rank]) : 0.0f;
#pragma unroll
      for (int k = 0; k < 8; ++k) sum[r][k] += of_u * of_a[k];
    }
  }
#pragma unroll
  for (int r = 0; r < kPlainRows; ++r) {
    const int64_t row = first_row + r;
    if (row >= lora.rows) return;
    if constexpr (kDrops) drop_eight(sum[r], lora.mask, dropout_key_of<true>(lora.mask, row), eighth);
    T* to = dx + row * lora.in + 8 * eighth;
    float value[8] = {};
    if (accumulate) load_eight<T, kWide>(to, left, value);
#pragma unroll
    for (int k = 0; k < 8; ++k) value[k] += lora.mask.factor * sum[r][k];
    store_eight<T, kWide>(to, left, value);
  }
}

// parts = u^T drop(x): a thread takes eight columns and a few ranks over a range of rows.
template <typename T, bool kWide, bool kDrops>
__global__ void __launch_bounds__(kPlainThreads)
    plain_gradient_kernel(LoraPlain<T> lora, int64_t rows_per_part, const T* u, const T* x, float* parts) {
  const int64_t eighth = static_cast<int64_t>(blockIdx.x) * kPlainThreads + threadIdx.x;
  const int64_t left = lora.in - 8 * eighth;  // columns
  if (left <= 0) return;
  const int first_rank = blockIdx.z * kPlainRanks;
  const int64_t first_row = blockIdx.y * rows_per_part;
  float sum[kPlainRanks][8] = {};
  for (int64_t row = first_row; row < lora.rows && row < first_row + rows_per_part; ++row) {
    float of_x[8];
    lora.template load_dropped<kWide, kDrops>(x, row, eighth, of_x);
#pragma unroll
    for (int n = 0; n < kPlainRanks; ++n) {
      const int rank = first_rank + n < lora.rank ? first_rank + n : lora.rank - 1;
      const float of_u = to_float(u[row * lora.rank + rank]);
#pragma unroll
      for (int k = 0; k < 8; ++k) sum[n][k] += of_u * of_x[k];
    }
  }
#pragma unroll
  for (int n = 0; n < kPlainRanks; ++n) {
    const int rank = first_rank + n;
    if (rank >= lora.rank) return;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum[n][k] *= lora.mask.factor;
    float* to = parts + (static_cast<int64_t>(blockIdx.y) * lora.rank + rank) * lora.in + 8 * eighth;
    store_eight<float, kWide>(to, left, sum[n]);
  }
}

}  // namespace
}  // namespace cuset::ops
