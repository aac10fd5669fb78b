// A scan in one launch: each block publishes its sum behind a flag and waits for the block before it.
#include <cstdio>

__global__ void scan(const int* in, int* out, volatile int* sums, volatile int* flags) {
  __shared__ int before;
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += in[blockIdx.x * blockDim.x + i];
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + sum;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
  __syncthreads();
  int mine = before;
  for (unsigned i = 0; i <= threadIdx.x; ++i) mine += in[blockIdx.x * blockDim.x + i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

int main() {
  const int n = 256;
  int host[n], result[n], *in, *out, *sums, *flags;
  for (int i = 0; i < n; ++i) host[i] = i % 9;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&sums, 8 * sizeof(int));
  cudaMalloc(&flags, 8 * sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(flags, 0, 8 * sizeof(int));
  scan<<<8, 32>>>(in, out, sums, flags);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    if (result[i] != (sum += host[i])) return 1;
  printf("%d\n", result[n - 1]);
  return 0;
}
