// cooperative_groups: any, all, ballot, match_any and match_all of a tile speak of the tile's own threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void vote(unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned t = threadIdx.x, rank = tile.thread_rank(), number = tile.meta_group_rank();
  int same = 0;
  unsigned* mine = out + t * 5;
  mine[0] = tile.ballot(rank % 3 == number % 3);
  mine[1] = (tile.any(t == 9) ? 1u : 0u) + (tile.all(t < 16) ? 2u : 0u);
  mine[2] = tile.match_any(rank / 3);
  mine[3] = tile.match_all(number % 2 ? rank : 5u, same) + (same ? 1000u : 0u);
  mine[4] = tile.meta_group_size() * 100 + tile.size();
}

int main() {
  unsigned got[200] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  vote<<<1, 40>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 40; ++t) {
    unsigned rank = t % 8, number = t / 8, ballot = 0, match = 0;
    for (unsigned r = 0; r < 8; ++r) {
      if (r % 3 == number % 3) ballot |= 1u << r;
      if (r / 3 == rank / 3) match |= 1u << r;
    }
    unsigned want[5] = {ballot, (number == 1) + (number < 2) * 2u, match, number % 2 ? 0u : 1255u, 508u};
    for (int i = 0; i < 5; ++i)
      if (got[t * 5 + i] != want[i])
        return std::printf("FAIL [%d] got %u, wanted %u\n", t * 5 + i, got[t * 5 + i], want[i]), 1;
  }
  std::puts("PASS");
}
