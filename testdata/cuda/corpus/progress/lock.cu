// A spin lock made of atomicCAS and atomicExch guards an ordinary counter among blocks.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void locked_add(int* lock, volatile int* counter, int rounds) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < rounds; ++i) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int value = *counter;
    *counter = value + static_cast<int>(blockIdx.x) + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int got = 0;
  int* cells;
  cudaMalloc(&cells, 2 * sizeof(int));
  cudaMemset(cells, 0, 2 * sizeof(int));
  locked_add<<<16, 32>>>(cells, cells + 1, 10);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, (cells + 1), sizeof(got), cudaMemcpyDeviceToHost);
  if (got != 136 * 10) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, got, 136 * 10), 1;
  std::puts("PASS");
}
