// The first block clears the sum that all blocks add to; some may have added before.
#include <cstdio>

__global__ void sum(const int* in, int* total) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;  // finds: global_race
  __syncthreads();
  atomicAdd(total, in[blockIdx.x * blockDim.x + threadIdx.x]);  // or: global_race
}

int main() {
  int *in, *total, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(total, 1, sizeof(int));
  sum<<<4, 32>>>(in, total);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
