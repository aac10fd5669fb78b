// One block per row forward; backward keeps a few blocks per multiprocessor busy over many rows, so that the
// weight's gradient needs few partial sums. A thread reads 16 bytes at a time where the row's length and
// address allow it.
#include <cuda_runtime.h>

#include "ops/gpu/gpu_values.cuh"
#include "ops/gpu/rms_norm_gpu.h"

namespace cuset::ops {
namespace {

constexpr int kThreads = 256;

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads) forward_kernel(RmsNormRows rows, float epsilon, T* y) {
  using P = WidePack<T, kLanes>;
  const int64_t packs = rows.width / kLanes;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * packs;
  const P* x = static_cast<const P*>(rows.x) + first;
  const P* weight = static_cast<const P*>(rows.weight);
  P* out = reinterpret_cast<P*>(y) + first;

  float squares = 0.0f;
  for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
    const P pack = x[i];
    for (int k = 0; k < kLanes; ++k) squares += to_float(pack.value[k]) * to_float(pack.value[k]);
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares) / static_cast<float>(rows.width) + epsilon);
  if (threadIdx.x == 0) rows.scale[blockIdx.x] = scale;

  for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
    const P pack = x[i];
    const P w = weight[i];
    P result;
    for (int k = 0; k < kLanes; ++k) {
      const T normalized = from_float<T>(to_float(pack.value[k]) * scale);
      result.value[k] = from_float<T>(to_float(normalized) * to_float(w.value[k]));
    }
    out[i] = result;
  }
}

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(RmsNormRows rows, const T* dy, T* dx, float* weight_parts) {
  using P = WidePack<T, kLanes>;
  const int64_t packs = rows.width / kLanes;
  const P* weight = static_cast<const P*>(rows.weight);
  float* part =
      weight_parts == nullptr ? nullptr : weight_parts + static_cast<int64_t>(blockIdx.x) * rows.width;

  for (int64_t row = blockIdx.x; row < rows.rows; row += gridDim.x) {
    const P* x = static_cast<const P*>(rows.x) + row * packs;
    const P* gradient = reinterpret_cast<const P*>(dy) + row * packs;
    P* out = reinterpret_cast<P*>(dx) + row * packs;
    const float scale = rows.scale[row];

    float product = 0.0f;  // sum of g * h over the row
    for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
      const P pack = x[i];
      const P dpack = gradient[i];
      const P w = weight[i];
      for (int k = 0; k < kLanes; ++k) {
        product += to_float(dpack.value[k]) * to_float(w.value[k]) * to_float(pack.value[k]) * scale;
      }
    }
    const float mean = block_sum<kThreads>(product) / static_cast<float>(rows.width);

    for (int64_t i = threadIdx.x; i < packs; i += kThreads) {
      const P pack = x[i];
      const P dpack = gradient[i];
      const P w = weight[i];
      P result;
      for (int k = 0; k < kLanes; ++k) {
        const float normalized = to_float(pack.value[k]) * scale;
        const float upstream = to_float(dpack.value[k]);
        result.value[k] = from_float<T>(scale * (upstream * to_float(w.value[k]) - normalized * mean));
        // A thread owns its columns of its block's part, so adding needs no atomics.
        if (part != nullptr) part[i * kLanes + k] += upstream * to_float(from_float<T>(normalized));
      }
      out[i] = result;
    }
  }
}

template <typename T, int kLanes>
void launch_forward(const RmsNormRows& rows, float epsilon, void* y, cudaStream_t stream) {
  forward_kernel<T, kLanes>
      <<<static_cast<unsigned>(rows.rows), kThreads, 0, stream>>>(rows, epsilon, static_cast<T*>(y));
  check_gpu_launch("rms_norm forward");
}

template <typename T, int kLanes>
void launch_backward(const RmsNormRows& rows, const void* dy, void* dx, float* parts, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(rms_norm_weight_parts(rows.rows));
  backward_kernel<T, kLanes>
      <<<blocks, kThreads, 0, stream>>>(rows, static_cast<const T*>(dy), static_cast<T*>(dx), parts);
  check_gpu_launch("rms_norm backward");
}

// The sum is written and its squares are added up in one pass; the second reads what the same thread wrote.
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
void launch_residual(const ResidualNormRows& rows, void* y, cudaStream_t stream) {
  residual_norm_kernel<T, kLanes>
      <<<static_cast<unsigned>(rows.rows), kThreads, 0, stream>>>(rows, static_cast<T*>(y));
  check_gpu_launch("residual norm");
}

bool can_read_16_bytes(const RmsNormRows& rows, const void* other, int64_t lanes) {
  return are_16_byte_aligned(rows.x, rows.weight, other) && rows.width % lanes == 0;
}

}  // namespace

int rms_norm_weight_parts(int64_t rows) {
  const int64_t busy = 8LL * gpu_multiprocessors();
  return static_cast<int>(rows < busy ? rows : busy);
}

void rms_norm_forward_gpu(const RmsNormRows& rows, float epsilon, void* y, GpuStream gpu_stream) {
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  if (rows.type == GpuType::kFloat32) {
    (can_read_16_bytes(rows, y, 4) ? launch_forward<float, 4> : launch_forward<float, 1>)(rows, epsilon, y,
                                                                                          stream);
  } else {
    (can_read_16_bytes(rows, y, 8) ? launch_forward<__nv_bfloat16, 8>
                                   : launch_forward<__nv_bfloat16, 1>)(rows, epsilon, y, stream);
  }
}

void rms_norm_backward_gpu(const RmsNormRows& rows, const void* dy, void* dx, float* parts,
                           GpuStream gpu_stream) {
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  if (rows.type == GpuType::kFloat32) {
    const bool wide = can_read_16_bytes(rows, dy, 4) && can_read_16_bytes(rows, dx, 4);
    (wide ? launch_backward<float, 4> : launch_backward<float, 1>)(rows, dy, dx, parts, stream);
  } else {
    const bool wide = can_read_16_bytes(rows, dy, 8) && can_read_16_bytes(rows, dx, 8);
    (wide ? launch_backward<__nv_bfloat16, 8> : launch_backward<__nv_bfloat16, 1>)(rows, dy, dx, parts,
                                                                                   stream);
  }
}

void residual_norm_gpu(const ResidualNormRows& rows, void* y, GpuStream gpu_stream) {
  if (rows.rows == 0 || rows.width == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const bool aligned = are_16_byte_aligned(rows.x, rows.delta, rows.weight, y);
  if (rows.type == GpuType::kFloat32) {
    (aligned && rows.width % 4 == 0 ? launch_residual<float, 4> : launch_residual<float, 1>)(rows, y, stream);
  } else {
    (aligned && rows.width % 8 == 0 ? launch_residual<__nv_bfloat16, 8>
                                    : launch_residual<__nv_bfloat16, 1>)(rows, y, stream);
  }
}

}  // namespace cuset::ops
