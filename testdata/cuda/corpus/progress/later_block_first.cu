// Block 0 waits for the last block of the grid: all blocks of a small grid are alive at once.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void chain(unsigned* done, int* out) {
  if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x) {
    while (atomicAdd(&done[blockIdx.x + 1], 0u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  int after = blockIdx.x + 1 < gridDim.x ? out[(blockIdx.x + 1) * 32 + threadIdx.x] : 0;
  out[blockIdx.x * 32 + threadIdx.x] = after + 1 + threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&done[blockIdx.x], 1u);
}

int main() {
  int got[10 * 32] = {};
  unsigned* done;
  cudaMalloc(&done, 10 * sizeof(unsigned));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemset(done, 0, 10 * sizeof(unsigned));
  chain<<<10, 32>>>(done, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 320; ++i)
    if (got[i] != (10 - i / 32) * (1 + i % 32))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (10 - i / 32) * (1 + i % 32)), 1;
  std::puts("PASS");
}
