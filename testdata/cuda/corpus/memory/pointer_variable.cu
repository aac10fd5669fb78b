// A __device__ pointer set by the host, and one set by a kernel to another __device__ array.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int* from_host;
__device__ int* from_kernel;
__device__ int storage[32];

__global__ void aim() { from_kernel = storage + 8; }

__global__ void write() {
  from_host[threadIdx.x] = threadIdx.x * 3;
  from_kernel[threadIdx.x] = threadIdx.x + 500;
}

int main() {
  int got[16] = {}, stored[32] = {};
  int* memory;
  cudaMalloc(&memory, sizeof(got));
  cudaMemcpyToSymbol(from_host, &memory, sizeof(memory));
  aim<<<1, 1>>>();
  write<<<1, 16>>>();
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(stored, storage, sizeof(stored));
  for (int i = 0; i < 16; ++i)
    if (got[i] != i * 3) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i * 3), 1;
  for (int i = 0; i < 32; ++i)
    if (stored[i] != (i >= 8 && i < 24 ? i - 8 + 500 : 0))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, stored[i], (i >= 8 && i < 24 ? i - 8 + 500 : 0)),
             1;
  std::puts("PASS");
}
