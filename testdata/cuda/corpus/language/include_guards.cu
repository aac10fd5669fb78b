// NVIDIA's include guards and version macros, by which helper headers learn what a program uses.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__) || \
    !defined(__CUDA_FP16_H__)
#error "a guard is missing"
#endif
#if CUDART_VERSION < 11000 || __CUDACC_VER_MAJOR__ < 11
#error "too old"
#endif

__global__ void count(int* numbers) {
#if CUDART_VERSION >= 11000
  numbers[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
#endif
}

int main() {
  int* numbers;
  cudaMallocManaged(&numbers, 40 * sizeof(int));
  for (int i = 0; i < 40; ++i) numbers[i] = -1;
  count<<<1, 40>>>(numbers);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int i = 0; i < 40; ++i) {
    if (numbers[i] != i + i + i) return std::printf("FAIL [%d] got %d\n", i, numbers[i]), 1;
  }
  std::puts("PASS");
}
