// Blocks wait for a flag that block 0 sets: blocks that run together make progress.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void relay(volatile int* flag, volatile int* message, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *message = 12345;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = *message + blockIdx.x;
  }
}

int main() {
  int got[8] = {};
  int* cells;
  cudaMalloc(&cells, 2 * sizeof(int));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemset(cells, 0, 2 * sizeof(int));
  relay<<<8, 32>>>(cells, cells + 1, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 1; i < 8; ++i)
    if (got[i] != 12345 + i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 12345 + i), 1;
  std::puts("PASS");
}
