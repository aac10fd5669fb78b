// Clusters: a histogram whose bins are spread over the shared memory of a cluster, updated atomically by all of its blocks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void count(const unsigned* in, int n, unsigned* out, int bins_of_block) {
  extern __shared__ unsigned bins[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = in[i];
    unsigned* place = cluster.map_shared_rank(bins, bin / bins_of_block);
    atomicAdd(place + bin % bins_of_block, 1u);
  }
  cluster.sync();
  const int first = cluster.block_rank() * bins_of_block;
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(out + first + i, bins[i]);
}

int main() {
  const int n = 20000, bins = 96;
  static unsigned in[n], want[bins], got[bins];
  for (int i = 0; i < n; ++i) ++want[in[i] = i * 2654435761u % 977 % bins];
  unsigned *device, *out;
  cudaMalloc(&device, sizeof(in));
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device, in, sizeof(in), cudaMemcpyHostToDevice);
  for (int size : {1, 2, 3, 4, 6, 8}) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(24);
    config.blockDim = dim3(96);
    config.dynamicSmemBytes = bins / size * sizeof(unsigned);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaMemset(out, 0, sizeof(got));
    if (cudaError_t error = cudaLaunchKernelEx(&config, count, device, n, out, bins / size))
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < bins; ++i)
      if (got[i] != want[i])
        return std::printf("FAIL size %d, bin %d: got %u, wanted %u\n", size, i, got[i], want[i]), 1;
  }
  std::puts("PASS");
}
