// __syncthreads inside a condition that is the same for the whole block but differs from block to block.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void swap_in_odd_blocks(int* data) {
  __shared__ int tile[64];
  int* mine = data + blockIdx.x * 64;
  tile[threadIdx.x] = mine[threadIdx.x];
  if (blockIdx.x % 2 == 1) {
    __syncthreads();
    mine[threadIdx.x] = tile[threadIdx.x ^ 33];
  } else {
    mine[threadIdx.x] = tile[threadIdx.x] * 2;
  }
}

int main() {
  int values[640];
  for (int i = 0; i < 640; ++i) values[i] = i;
  int* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  swap_in_odd_blocks<<<10, 64>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 640; ++i) {
    int want = i / 64 % 2 ? i / 64 * 64 + (i % 64 ^ 33) : i * 2;
    if (values[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], want), 1;
  }
  std::puts("PASS");
}
