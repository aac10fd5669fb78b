// Thousands of launches in a row, each building on the one before.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void step(unsigned* state, unsigned by) {
  state[threadIdx.x] = state[threadIdx.x] * 1664525u + by + threadIdx.x;
}

int main() {
  unsigned got[32], want[32];
  unsigned* state;
  cudaMalloc(&state, sizeof(got));
  cudaMemset(state, 0, sizeof(got));
  for (unsigned& value : want) value = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    step<<<1, 32>>>(state, i);
    for (unsigned t = 0; t < 32; ++t) want[t] = want[t] * 1664525u + i + t;
  }
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, state, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t)
    if (got[t] != want[t]) return std::printf("FAIL [%d] got %u, wanted %u\n", t, got[t], want[t]), 1;
  std::puts("PASS");
}
