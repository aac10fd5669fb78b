// Scratch memory indexed by thread alone: all blocks use the same.
#include <cstdio>

__global__ void reverse(const int* in, int* scratch, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = in[i];  // finds: global_race
  __syncthreads();
  out[i] = scratch[blockDim.x - 1 - threadIdx.x];  // or: global_race
}

int main() {
  int *in, *scratch, *out, host[128];
  for (int i = 0; i < 128; ++i) host[i] = 3 * i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&scratch, 64 * sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  reverse<<<2, 64>>>(in, scratch, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
