// __syncwarp orders the shared-memory traffic of one warp: eight warps work without a block barrier.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reverse_in_warp(int* out) {
  __shared__ int tile[256];
  int lane = threadIdx.x % 32, base = threadIdx.x - lane;
  int value = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = value;
    __syncwarp();
    value = tile[base + 31 - lane] + 1000;
    __syncwarp();
  }
  out[threadIdx.x] = value;
}

int main() {
  int got[256] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  reverse_in_warp<<<1, 256>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (got[i] != i / 32 * 32 + 31 - i % 32 + 3000)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i / 32 * 32 + 31 - i % 32 + 3000), 1;
  std::puts("PASS");
}
