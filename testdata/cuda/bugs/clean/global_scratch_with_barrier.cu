// Scratch memory of its own for each block, exchanged behind a barrier.
#include <cstdio>

__global__ void reverse(const int* in, int* scratch, int* out) {
  const int base = blockIdx.x * blockDim.x;
  int* mine = scratch + base;
  for (int round = 0; round < 3; ++round) {
    mine[threadIdx.x] = in[base + threadIdx.x] + round;
    __syncthreads();
    out[base + threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}

int main() {
  int *in, *scratch, *out, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&scratch, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  reverse<<<2, 64>>>(in, scratch, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[127]);
  return host[0] != 65 || host[127] != 66;
}
