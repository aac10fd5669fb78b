// One block per row: the sum is written and its squares are added up in one pass, the second pass reads what
// the same thread wrote.
#include <cuda_runtime.h>

#include "ops/gpu/gpu_values.cuh"
#include "ops/gpu/residual_norm_gpu.h"

namespace cuset::ops {
namespace {

constexpr int kThreads = 256;

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads) residual_norm_kernel(ResidualNormRows rows, T* y) {
  using P = WidePack<T, kLanes>;
  const int64_t packs = rows.width / kLanes;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * packs;
  P* x = static_cast<P*>(rows.x) + first;
  const P* delta = static_cast<const P*>(rows.delta) + first;
  const P* weight = static_cast<const P*>(rows.weight);
  P* out = reinterpret_cast<P*>(y) + first;

  float squares = 0.0f;
  for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
    P sum = x[i];
    const P added = delta[i];
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      sum.value[k] = from_float<T>(to_float(sum.value[k]) + to_float(added.value[k]));
      squares += to_float(sum.value[k]) * to_float(sum.value[k]);
    }
    x[i] = sum;
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares) / static_cast<float>(rows.width) + rows.epsilon);
  for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
    const P sum = x[i];
    const P w = weight[i];
    P result;
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      const T normalized = from_float<T>(to_float(sum.value[k]) * scale);
      result.value[k] = from_float<T>(to_float(normalized) * to_float(w.value[k]));
    }
    out[i] = result;
  }
}

template <typename T, int kLanes>
void launch(const ResidualNormRows& rows, void* y, cudaStream_t stream) {
  residual_norm_kernel<T, kLanes>
      <<<static_cast<unsigned>(rows.rows), kThreads, 0, stream>>>(rows, static_cast<T*>(y));
  check_gpu_launch("residual norm");
}

}  // namespace

void residual_norm_gpu(const ResidualNormRows& rows, void* y, GpuStream gpu_stream) {
  if (rows.rows == 0 || rows.width == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const bool aligned = are_16_byte_aligned(rows.x, rows.delta, rows.weight, y);
  if (rows.type == GpuType::kFloat32) {
    (aligned && rows.width % 4 == 0 ? launch<float, 4> : launch<float, 1>)(rows, y, stream);
  } else {
    (aligned && rows.width % 8 == 0 ? launch<__nv_bfloat16, 8> : launch<__nv_bfloat16, 1>)(rows, y, stream);
  }
}

}  // namespace cuset::ops
