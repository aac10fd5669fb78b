// An allocation beyond the device's memory fails with cudaErrorMemoryAllocation; work goes on after it.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void mark(int* data) { data[threadIdx.x] = threadIdx.x + 1; }

int main() {
  void* huge = nullptr;
  cudaError_t error = cudaMalloc(&huge, size_t(1) << 46);
  if (error != cudaErrorMemoryAllocation) return std::printf("FAIL got %d, wanted 2\n", error), 1;
  if (cudaGetLastError() != cudaErrorMemoryAllocation) return std::puts("FAIL last error"), 1;
  if (cudaGetLastError() != cudaSuccess) return std::puts("FAIL it stays"), 1;
  int got[32] = {};
  int* data;
  cudaMalloc(&data, sizeof(got));
  mark<<<1, 32>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != i + 1) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i + 1), 1;
  std::puts("PASS");
}
