// The last block to finish, found by an atomic counter behind a fence, adds up the sums of all blocks.
#include <cstdio>

__device__ unsigned finished;

__global__ void sum(const int* in, volatile int* partial, int* out) {
  __shared__ int total;
  __shared__ bool last;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *out = all;
  }
}

int main() {
  const int n = 1024;
  int host[n], result = 0;
  for (int i = 0; i < n; ++i) host[i] = i % 7;
  int expected = 0;
  for (int value : host) expected += value;
  int *in, *partial, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&partial, 8 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<8, 128>>>(in, partial, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != expected;
}
