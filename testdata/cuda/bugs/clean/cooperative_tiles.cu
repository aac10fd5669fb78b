// Tiles of sixteen threads, each with its own part of shared memory and its own barrier.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tile_sums(const int* in, int* out) {
  __shared__ int values[128];
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  int* mine = values + threadIdx.x / 16 * 16;
  const int rank = tile.thread_rank();
  mine[rank] = in[threadIdx.x];
  tile.sync();
  int value = mine[15 - rank];
  for (int d = 8; d > 0; d /= 2) value += tile.shfl_down(value, d);
  tile.sync();
  if (rank == 0) {
    mine[0] = value;
    out[threadIdx.x / 16] = mine[0];
  }
}

int main() {
  int host[128], result[8];
  for (int i = 0; i < 128; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  tile_sums<<<1, 128>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[7]);
  return result[0] != 120 || result[7] != 1912;
}
