// cooperative_groups: tiled_partition with a size chosen at run time.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void split(int size, int* out) {
  cg::thread_group whole = cg::this_thread_block();
  cg::thread_group part = cg::tiled_partition(whole, size);
  __shared__ int cells[64];
  cells[threadIdx.x] = part.thread_rank() * 100 + part.size();
  part.sync();
  int first = threadIdx.x / size * size;
  out[threadIdx.x] = cells[first + size - 1 - part.thread_rank()];
}

int main() {
  int got[64] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  for (int size = 1; size <= 32; size *= 2) {
    split<<<1, 64>>>(size, out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i)
      if (got[i] != (size - 1 - i % size) * 100 + size)
        return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (size - 1 - i % size) * 100 + size), 1;
  }
  std::puts("PASS");
}
