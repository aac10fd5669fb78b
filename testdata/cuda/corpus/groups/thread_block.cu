// cooperative_groups: thread_block with its ranks, sizes and sync.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
  extern __shared__ int tile[];
  cg::thread_block block = cg::this_thread_block();
  unsigned rank = block.thread_rank();
  tile[rank] = rank * 2 + block.group_index().x * 1000;
  block.sync();
  out[block.group_index().x * block.size() + rank] = tile[block.size() - 1 - rank];
  if (block.thread_index().y * block.group_dim().x + block.thread_index().x != rank) out[0] = -1;
}

int main() {
  int got[180] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  reverse<<<3, dim3(10, 6), 60 * sizeof(int)>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 180; ++i)
    if (got[i] != (59 - i % 60) * 2 + i / 60 * 1000)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (59 - i % 60) * 2 + i / 60 * 1000), 1;
  std::puts("PASS");
}
