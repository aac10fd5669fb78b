// Atomics with a scope: _block on a block's own cell, _system on managed memory that the host reads.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* per_block, int* everywhere, float* real, unsigned long long* wide) {
  atomicAdd_block(&per_block[blockIdx.x], 2);
  atomicMax_block(&per_block[8 + blockIdx.x], static_cast<int>(threadIdx.x));
  atomicAdd_system(everywhere, 1);
  atomicAdd_system(real, 0.5f);
  atomicCAS_system(wide, 5ull, 77ull);
  atomicOr_system(everywhere + 1, 1 << threadIdx.x % 20);
}

int main() {
  int* cells;
  cudaMallocManaged(&cells, 100);
  float* real;
  cudaMallocManaged(&real, 4);
  unsigned long long* wide;
  cudaMallocManaged(&wide, 8);
  for (int i = 0; i < 25; ++i) cells[i] = 0;
  *real = 0;
  *wide = 5;
  count<<<8, 40>>>(cells, cells + 20, real, wide);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int b = 0; b < 8; ++b) {
    if (cells[b] != 80) return std::printf("FAIL [%d] got %d, wanted %d\n", b, cells[b], 80), 1;
    if (cells[8 + b] != 39) return std::printf("FAIL [%d] got %d, wanted %d\n", b, cells[8 + b], 39), 1;
  }
  if (cells[20] != 320) return std::printf("FAIL [%d] got %d, wanted %d\n", 20, cells[20], 320), 1;
  if (cells[21] != 0xfffff) return std::printf("FAIL [%d] got %d, wanted %d\n", 21, cells[21], 0xfffff), 1;
  if (*real != 160.0f) return std::printf("FAIL float %g, wanted 160\n", *real), 1;
  if (*wide != 77) return std::printf("FAIL 64 bits %llu, wanted 77\n", *wide), 1;
  std::puts("PASS");
}
