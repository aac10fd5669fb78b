// __syncthreads in the cases of a switch over a value that is uniform in the block.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void staged(int* out) {
  __shared__ int cell[32];
  int t = threadIdx.x, value = t;
  for (int stage = 0; stage < 4; ++stage) {
    cell[t] = value;
    switch ((stage + blockIdx.x) % 3) {
      case 0:
        __syncthreads();
        value = cell[31 - t];
        break;
      case 1:
        __syncthreads();
        value = cell[(t + 1) % 32];
        __syncthreads();
        value += 100;
        break;
      default:
        value = value * 2;
    }
    __syncthreads();
  }
  out[blockIdx.x * 32 + t] = value;
}

int main() {
  int got[96] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  staged<<<3, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 3; ++b) {
    int now[32], next[32];
    for (int t = 0; t < 32; ++t) now[t] = t;
    for (int stage = 0; stage < 4; ++stage) {
      int kind = (stage + b) % 3;
      for (int t = 0; t < 32; ++t)
        next[t] = kind == 0 ? now[31 - t] : kind == 1 ? now[(t + 1) % 32] + 100 : now[t] * 2;
      for (int t = 0; t < 32; ++t) now[t] = next[t];
    }
    for (int t = 0; t < 32; ++t)
      if (got[b * 32 + t] != now[t])
        return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[b * 32 + t], now[t]), 1;
  }
  std::puts("PASS");
}
