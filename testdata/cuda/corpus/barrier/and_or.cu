// __syncthreads_and and __syncthreads_or: predicates of all threads joined, and handed to all of them.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void join(int* out) {
  int t = threadIdx.x, n = blockDim.x;
  int all_small = __syncthreads_and(t < n);
  int all_but_one = __syncthreads_and(t != 70);
  int only_one = __syncthreads_or(t == 70);
  int none = __syncthreads_or(t > 1000);
  out[t] = (all_small != 0) + 10 * (all_but_one != 0) + 100 * (only_one != 0) + 1000 * (none != 0);
}

int main() {
  int got[100] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  join<<<1, 100>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i)
    if (got[i] != 101) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 101), 1;
  join<<<1, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (got[i] != 11) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 11), 1;
  std::puts("PASS");
}
