// A barrier in a loop that the threads leave after different numbers of rounds, with one more behind it.
#include <cstdio>

__global__ void rounds(const int* counts, int* out) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < counts[t]; ++round) {
    sum += round;
    __syncthreads();  // finds: divergent_barrier
  }
  __syncthreads();  // or: divergent_barrier; may: early_return
  out[t] = sum;
}

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = 1 + i % 3;
  int *counts, *out;
  cudaMalloc(&counts, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(counts, host, sizeof(host), cudaMemcpyHostToDevice);
  rounds<<<1, 64>>>(counts, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
