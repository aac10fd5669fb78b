// __syncthreads_count: how many threads of the block hold a true predicate, several times in a loop.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* out) {
  for (int limit = 0; limit < 8; ++limit) {
    int n = __syncthreads_count(threadIdx.x % 8 <= limit);
    if (threadIdx.x == 37) out[blockIdx.x * 8 + limit] = n;
  }
}

int main() {
  int got[24] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  count<<<3, 200>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i)
    if (got[i] != (i % 8 + 1) * 25)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i % 8 + 1) * 25), 1;
  std::puts("PASS");
}
