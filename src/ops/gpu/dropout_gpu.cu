// A thread owns eight columns, one Philox block, of a few rows.
#include <cuda_runtime.h>

#include "ops/gpu/dropout_gpu.h"
#include "ops/gpu/dropout_mask.cuh"
#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

constexpr int kThreads = 128;
constexpr int kRows = 4;  // of a thread, so that it has several reads under way

template <typename T, bool kWide, bool kDrops>
__global__ void __launch_bounds__(kThreads)
    drop_kernel(int64_t rows, int64_t width, const T* x, T* y, DropoutMask mask) {
  const int64_t eighth = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
  const int64_t left = width - 8 * eighth;  // columns
  if (left <= 0) return;
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * kRows;

  float value[kRows][8];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (first_row + r < rows) load_eight<T, kWide>(x + (first_row + r) * width + 8 * eighth, left, value[r]);
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int64_t row = first_row + r;
    if (row >= rows) return;
    if constexpr (kDrops) drop_eight(value[r], mask, dropout_key_of<true>(mask, row), eighth);
#pragma unroll
    for (int k = 0; k < 8; ++k) value[r][k] *= mask.factor;
    store_eight<T, kWide>(y + row * width + 8 * eighth, left, value[r]);
  }
}

template <typename T>
void launch(int64_t rows, int64_t width, const void* x, void* y, const DropoutMask& mask,
            cudaStream_t stream) {
  const bool wide = width % 8 == 0 && are_16_byte_aligned(x, y);
  const auto kernel = wide ? (mask.drops ? drop_kernel<T, true, true> : drop_kernel<T, true, false>)
                           : (mask.drops ? drop_kernel<T, false, true> : drop_kernel<T, false, false>);
  const dim3 blocks(static_cast<unsigned>(divide_up(rows, kRows)),
                    static_cast<unsigned>(divide_up(width, 8 * kThreads)));
  kernel<<<blocks, kThreads, 0, stream>>>(rows, width, static_cast<const T*>(x), static_cast<T*>(y), mask);
  check_gpu_launch("dropout");
}

}  // namespace

void drop_gpu(GpuType type, int64_t rows, int64_t width, const void* x, void* y, const DropoutRows& dropout,
              GpuStream stream) {
  if (rows == 0 || width == 0) return;
  (type == GpuType::kFloat32 ? launch<float> : launch<__nv_bfloat16>)(rows, width, x, y,
                                                                      dropout_mask(dropout),
                                                                      static_cast<cudaStream_t>(stream));
}

}  // namespace cuset::ops
