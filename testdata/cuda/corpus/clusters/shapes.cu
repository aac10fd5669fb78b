// Clusters: shapes of one to three dimensions given at launch; where a block lies in its cluster and a cluster in the grid.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Place {
  unsigned rank, blocks, thread, threads, x, y, z, sum;
};

__global__ void places(Place* out) {
  __shared__ unsigned number;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0 && threadIdx.y == 0) number = block;
  cluster.sync();
  unsigned sum = 0;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
    sum = sum * 31 + *cluster.map_shared_rank(&number, rank);
  const bool is_right = cluster.query_shared_rank(cluster.map_shared_rank(
                            &number, cluster.num_blocks() - 1)) == cluster.num_blocks() - 1;
  const dim3 index = cluster.block_index(), size = cluster.dim_blocks();
  if (threadIdx.x == 5 && threadIdx.y == 1)
    out[block] = {cluster.block_rank(),
                  cluster.num_blocks() + 100 * size.x + 1000 * size.y + 10000 * size.z,
                  cluster.thread_rank(),
                  cluster.num_threads(),
                  index.x,
                  index.y,
                  index.z,
                  is_right ? sum : 0};
  cluster.sync();
}

bool run(dim3 grid, dim3 size) {
  static Place got[512];
  const unsigned blocks = grid.x * grid.y * grid.z;
  Place* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemset(out, 0x5a, sizeof(got));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size.x;
  attribute.val.clusterDim.y = size.y;
  attribute.val.clusterDim.z = size.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(16, 2);
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, places, out) != cudaSuccess) return false;
  if (cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  cudaFree(out);
  const unsigned all = size.x * size.y * size.z;
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned x = block % grid.x, y = block / grid.x % grid.y, z = block / (grid.x * grid.y);
    const unsigned rank = ((z % size.z) * size.y + y % size.y) * size.x + x % size.x;
    unsigned sum = 0;
    for (unsigned other = 0; other < all; ++other) {
      const unsigned ox = x / size.x * size.x + other % size.x,
                     oy = y / size.y * size.y + other / size.x % size.y,
                     oz = z / size.z * size.z + other / (size.x * size.y);
      sum = sum * 31 + (oz * grid.y + oy) * grid.x + ox;
    }
    const Place& p = got[block];
    const bool is_right = p.rank == rank && p.blocks == all + 100 * size.x + 1000 * size.y + 10000 * size.z &&
                          p.thread == rank * 32 + 21 && p.threads == all * 32 && p.x == x % size.x &&
                          p.y == y % size.y && p.z == z % size.z && p.sum == sum;
    if (!is_right) return std::printf("block %u of cluster %ux%ux%u\n", block, size.x, size.y, size.z), false;
  }
  return true;
}

int main() {
  const bool all = run(dim3(8), dim3(2)) && run(dim3(6, 4), dim3(3, 2)) &&
                   run(dim3(4, 6, 2), dim3(2, 2, 2)) && run(dim3(5, 3), dim3(1)) &&
                   run(dim3(3, 8, 2), dim3(1, 8)) && run(dim3(7), dim3(7));
  std::puts(all ? "PASS" : "FAIL");
  return all ? 0 : 1;
}
