// cooperative_groups: tile.sync orders shared memory among the tile's threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rotate(int* out) {
  __shared__ int cells[128];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int base = threadIdx.x - tile.thread_rank(), value = threadIdx.x;
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
    cells[threadIdx.x] = value;
    tile.sync();
    value = cells[base + (tile.thread_rank() + 1) % 16];
    tile.sync();
  }
  out[threadIdx.x] = value;
}

int main() {
  int got[128] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  rotate<<<1, 128>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i)
    if (got[i] != i / 16 * 16 + (i % 16 + i / 16 + 1) % 16)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i],
                         i / 16 * 16 + (i % 16 + i / 16 + 1) % 16),
             1;
  std::puts("PASS");
}
