// A thread owns 16 bytes of every tensor, and reads all it needs before it writes, so results may replace
// inputs.
#include "ops/gpu/swiglu_gpu.h"

#include <cuda_runtime.h>

#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

constexpr int kThreads = 256;

// silu(value) = value / this, rounded to the type.
__device__ float inverse_sigmoid(float value) { return 1.0f + expf(-value); }

template <typename T, int kLanes>
__device__ WidePack<T, kLanes> activated(const WidePack<T, kLanes>& of_gate,
                                         const WidePack<T, kLanes>& of_up) {
  WidePack<T, kLanes> result;
#pragma unroll
  for (int k = 0; k < kLanes; ++k) {
    const float g = to_float(of_gate.value[k]);
    const T of_silu = from_float<T>(g / inverse_sigmoid(g));
    result.value[k] = from_float<T>(to_float(of_silu) * to_float(of_up.value[k]));
  }
  return result;
}

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads) forward_kernel(int64_t packs, const T* gate, const T* up, T* h) {
  using P = WidePack<T, kLanes>;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= packs) return;
  reinterpret_cast<P*>(h)[i] =
      activated(reinterpret_cast<const P*>(gate)[i], reinterpret_cast<const P*>(up)[i]);
}

// `packs` of a row of h; row y of the grid.
template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads) joined_kernel(int64_t packs, const T* gate_up, T* h) {
  using P = WidePack<T, kLanes>;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= packs) return;
  const P* gate = reinterpret_cast<const P*>(gate_up) + 2 * packs * blockIdx.y;
  reinterpret_cast<P*>(h)[packs * blockIdx.y + i] = activated(gate[i], gate[packs + i]);
}

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads)
    backward_kernel(int64_t packs, const T* gate, const T* up, const T* dh, T* dgate, T* dup) {
  using P = WidePack<T, kLanes>;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= packs) return;
  const P of_gate = reinterpret_cast<const P*>(gate)[i];
  const P of_up = reinterpret_cast<const P*>(up)[i];
  const P of_dh = reinterpret_cast<const P*>(dh)[i];
  P to_gate;
  P to_up;
#pragma unroll
  for (int k = 0; k < kLanes; ++k) {
    const float g = to_float(of_gate.value[k]);
    const float upstream = to_float(of_dh.value[k]);
    const float inverse = inverse_sigmoid(g);
    const float s = 1.0f / inverse;
    to_up.value[k] = from_float<T>(upstream * to_float(from_float<T>(g / inverse)));
    to_gate.value[k] = from_float<T>(upstream * to_float(of_up.value[k]) * s * (1.0f + g * (1.0f - s)));
  }
  reinterpret_cast<P*>(dgate)[i] = to_gate;
  reinterpret_cast<P*>(dup)[i] = to_up;
}

unsigned blocks_of(int64_t packs) { return static_cast<unsigned>(divide_up(packs, kThreads)); }

template <typename T, int kLanes>
void launch_forward(int64_t count, const void* gate, const void* up, void* h, cudaStream_t stream) {
  const int64_t packs = count / kLanes;
  forward_kernel<T, kLanes><<<blocks_of(packs), kThreads, 0, stream>>>(
      packs, static_cast<const T*>(gate), static_cast<const T*>(up), static_cast<T*>(h));
  check_gpu_launch("swiglu forward");
}

template <typename T, int kLanes>
void launch_joined(int64_t rows, int64_t width, const void* gate_up, void* h, cudaStream_t stream) {
  const int64_t packs = width / kLanes;
  joined_kernel<T, kLanes><<<dim3(blocks_of(packs), static_cast<unsigned>(rows)), kThreads, 0, stream>>>(
      packs, static_cast<const T*>(gate_up), static_cast<T*>(h));
  check_gpu_launch("swiglu joined");
}

template <typename T, int kLanes>
void launch_backward(int64_t count, const void* gate, const void* up, const void* dh, void* dgate, void* dup,
                     cudaStream_t stream) {
  const int64_t packs = count / kLanes;
  backward_kernel<T, kLanes><<<blocks_of(packs), kThreads, 0, stream>>>(
      packs, static_cast<const T*>(gate), static_cast<const T*>(up), static_cast<const T*>(dh),
      static_cast<T*>(dgate), static_cast<T*>(dup));
  check_gpu_launch("swiglu backward");
}

}  // namespace

void swiglu_forward_gpu(GpuType type, int64_t count, const void* gate, const void* up, void* h,
                        GpuStream gpu_stream) {
  if (count == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const bool aligned = are_16_byte_aligned(gate, up, h);
  if (type == GpuType::kFloat32) {
    (aligned && count % 4 == 0 ? launch_forward<float, 4> : launch_forward<float, 1>)(count, gate, up, h,
                                                                                      stream);
  } else {
    (aligned && count % 8 == 0 ? launch_forward<__nv_bfloat16, 8>
                               : launch_forward<__nv_bfloat16, 1>)(count, gate, up, h, stream);
  }
}

void swiglu_joined_gpu(GpuType type, int64_t rows, int64_t width, const void* gate_up, void* h,
                       GpuStream gpu_stream) {
  if (rows == 0 || width == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const bool aligned = are_16_byte_aligned(gate_up, h);
  if (type == GpuType::kFloat32) {
    (aligned && width % 4 == 0 ? launch_joined<float, 4> : launch_joined<float, 1>)(rows, width, gate_up, h,
                                                                                    stream);
  } else {
    (aligned && width % 8 == 0 ? launch_joined<__nv_bfloat16, 8>
                               : launch_joined<__nv_bfloat16, 1>)(rows, width, gate_up, h, stream);
  }
}

void swiglu_backward_gpu(GpuType type, int64_t count, const void* gate, const void* up, const void* dh,
                         void* dgate, void* dup, GpuStream gpu_stream) {
  if (count == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const bool aligned = are_16_byte_aligned(gate, up, dh) && are_16_byte_aligned(dgate, dup);
  if (type == GpuType::kFloat32) {
    (aligned && count % 4 == 0 ? launch_backward<float, 4> : launch_backward<float, 1>)(count, gate, up, dh,
                                                                                        dgate, dup, stream);
  } else {
    (aligned && count % 8 == 0 ? launch_backward<__nv_bfloat16, 8>
                               : launch_backward<__nv_bfloat16, 1>)(count, gate, up, dh, dgate, dup, stream);
  }
}

}  // namespace cuset::ops
