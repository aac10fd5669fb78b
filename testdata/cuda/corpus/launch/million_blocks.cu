// A grid of more than a million small blocks.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(unsigned* bins, unsigned long long* sum) {
  if (threadIdx.x == 0 && blockIdx.x % 1024 == 7) atomicAdd(&bins[blockIdx.x / 1024 % 16], 1u);
  if (threadIdx.x == 1 && blockIdx.x % 65536 == 65535)
    atomicAdd(sum, static_cast<unsigned long long>(blockIdx.x));
}

int main() {
  unsigned got[16] = {};
  unsigned long long total = 0;
  unsigned* bins;
  cudaMalloc(&bins, sizeof(got));
  unsigned long long* sum;
  cudaMalloc(&sum, sizeof(total));
  cudaMemset(bins, 0, sizeof(got));
  cudaMemset(sum, 0, sizeof(total));
  count<<<1 << 20, 2>>>(bins, sum);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, bins, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(&total, sum, sizeof(total), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i)
    if (got[i] != 64u) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], 64u), 1;
  if (total != 65536ull * 136 - 16) return std::printf("FAIL sum %llu\n", total), 1;
  std::puts("PASS");
}
