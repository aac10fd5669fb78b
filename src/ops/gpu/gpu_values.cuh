// What the CUDA kernels share: elements widened to float32 and rounded back, several elements moved as one
// access, sums over a block.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace cuset::ops {

constexpr int kWarp = 32;

inline __device__ float to_float(float value) { return value; }
inline __device__ float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }

template <typename T>
__device__ T from_float(float value);
template <>
inline __device__ float from_float(float value) {
  return value;
}
template <>
inline __device__ __nv_bfloat16 from_float(float value) {
  return __float2bfloat16_rn(value);
}

// kLanes neighboring elements of a row, moved as one access.
template <typename T, int kLanes>
struct alignas(sizeof(T) * kLanes) WidePack {
  T value[kLanes];
};

// Elements of one 16-byte access.
template <typename T>
constexpr int kWideLanes = 16 / sizeof(T);

// Eight neighboring columns, widened. kWide: `from` lies on a 16-byte boundary and all eight exist; else
// only the first `count` exist and the others read as 0.
template <typename T, bool kWide>
__device__ void load_eight(const T* from, int64_t count, float (&value)[8]) {
  if constexpr (kWide) {
    using P = WidePack<T, kWideLanes<T>>;
#pragma unroll
    for (int i = 0; i < 8 / kWideLanes<T>; ++i) {
      const P pack = reinterpret_cast<const P*>(from)[i];
#pragma unroll
      for (int k = 0; k < kWideLanes<T>; ++k) value[i * kWideLanes<T> + k] = to_float(pack.value[k]);
    }
  } else {
#pragma unroll
    for (int k = 0; k < 8; ++k) value[k] = k < count ? to_float(from[k]) : 0.0f;
  }
}

// Two values rounded to bfloat16, the first in the lower half.
inline __device__ uint32_t bfloat16_pair(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const uint32_t*>(&pair);
}

// Written so because the compiler breaks up assignments of 16 bytes that it has computed piece by piece.
inline __device__ void store_16_bytes(void* to, const uint4& value) {
  __stwb(static_cast<uint4*>(to), value);
}

inline __device__ void store_eight_wide(__nv_bfloat16* to, const float (&value)[8]) {
  store_16_bytes(to, {bfloat16_pair(value[0], value[1]), bfloat16_pair(value[2], value[3]),
                      bfloat16_pair(value[4], value[5]), bfloat16_pair(value[6], value[7])});
}

inline __device__ void store_eight_wide(float* to, const float (&value)[8]) {
#pragma unroll
  for (int i = 0; i < 8; i += 4) {
    store_16_bytes(to + i, {__float_as_uint(value[i]), __float_as_uint(value[i + 1]),
                            __float_as_uint(value[i + 2]), __float_as_uint(value[i + 3])});
  }
}

template <typename T, bool kWide>
__device__ void store_eight(T* to, int64_t count, const float (&value)[8]) {
  if constexpr (kWide) {
    store_eight_wide(to, value);
  } else {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k < count) to[k] = from_float<T>(value[k]);
    }
  }
}

// The sum over a block of kThreads threads, in all of them.
template <int kThreads>
__device__ float block_sum(float value) {
  __shared__ float of_warp[kThreads / kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  __syncthreads();  // the previous call's readers are done with of_warp
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  float total = 0.0f;
  for (const float part : of_warp) total += part;
  return total;
}

// Whether all of these addresses lie on 16-byte boundaries.
template <typename... Pointers>
bool are_16_byte_aligned(const Pointers*... pointers) {
  return ((reinterpret_cast<uintptr_t>(pointers) % 16 == 0) && ...);
}

constexpr int64_t divide_up(int64_t value, int64_t by) { return (value + by - 1) / by; }

}  // namespace cuset::ops
