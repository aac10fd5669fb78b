// A lock in global memory around a sum that is not atomic.
#include <cstdio>

__device__ int lock;
__device__ int total;

__global__ void add(const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  total += in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int *in, host[16], result = 0, expected = 0;
  for (int i = 0; i < 16; ++i) expected += host[i] = i * 3;
  cudaMalloc(&in, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  add<<<16, 32>>>(in);
  cudaMemcpyFromSymbol(&result, total, sizeof(int));
  printf("%d\n", result);
  return result != expected;
}
