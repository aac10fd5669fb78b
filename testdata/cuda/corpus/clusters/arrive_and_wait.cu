// Clusters: barriers in two steps with work in between, beside barriers of the block; threads and blocks that end early;
// global memory that the cluster's barrier orders.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2) sums(int* data, int* out) {
  __shared__ int part[64], total;
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x, rank = cluster.block_rank();
  if (t >= 64) return;  // the last warp takes no part
  data[block * 64 + t] = block * 100 + t;
  auto token = cluster.barrier_arrive();
  part[t] = 3 * t;
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
  const int other = (blockIdx.y ^ 1) * gridDim.x + (blockIdx.x ^ 1);
  part[t] += data[other * 64 + 63 - t];
  __syncwarp();
  for (int step = 32; step > 0; step /= 2) {
    cluster.sync();
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) total = part[0];
  cluster.sync();
  if (rank == 0 && t < 4)
    out[(blockIdx.y / 2 * (gridDim.x / 2) + blockIdx.x / 2) * 4 + t] = *cluster.map_shared_rank(&total, t);
  cluster.sync();
}

int main() {
  const int columns = 6, rows = 4, blocks = columns * rows;
  static int got[blocks];
  int *data, *out;
  cudaMalloc(&data, blocks * 64 * sizeof(int));
  cudaMalloc(&out, sizeof(got));
  cudaMemset(out, 0xff, sizeof(got));
  sums<<<dim3(columns, rows), 96>>>(data, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks; ++i) {
    const int x = i / 4 % (columns / 2) * 2 + i % 2, y = i / 4 / (columns / 2) * 2 + i % 4 / 2;
    const int other = (y ^ 1) * columns + (x ^ 1);
    const int want = 63 * 32 * 3 + 64 * 100 * other + 63 * 32;
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
