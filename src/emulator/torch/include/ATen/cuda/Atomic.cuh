// Stands in for PyTorch's own: atomic operations under its names, on its half types too.
#pragma once

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ inline T gpuAtomicAdd(T* address, T value) {
  return atomicAdd(address, value);
}
__device__ inline c10::Half gpuAtomicAdd(c10::Half* address, c10::Half value) {
  return static_cast<float>(
      atomicAdd(reinterpret_cast<__half*>(address), __float2half(static_cast<float>(value))));
}
__device__ inline c10::BFloat16 gpuAtomicAdd(c10::BFloat16* address, c10::BFloat16 value) {
  return static_cast<float>(
      atomicAdd(reinterpret_cast<__nv_bfloat16*>(address), __float2bfloat16(static_cast<float>(value))));
}
__device__ inline int64_t gpuAtomicAdd(int64_t* address, int64_t value) {
  return static_cast<int64_t>(
      atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
}
template <typename T>
__device__ inline void gpuAtomicAddNoReturn(T* address, T value) {
  gpuAtomicAdd(address, value);
}
template <typename T>
__device__ inline T gpuAtomicMax(T* address, T value) {
  return atomicMax(address, value);
}
template <typename T>
__device__ inline T gpuAtomicMin(T* address, T value) {
  return atomicMin(address, value);
}
