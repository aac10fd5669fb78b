// Clusters: launches that are refused, attributes of kernels and of the device, occupancy.
// errors: on purpose
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count_blocks(int* out) {
  cooperative_groups::this_cluster().sync();
  if (threadIdx.x == 0) atomicAdd(out, static_cast<int>(cooperative_groups::this_cluster().num_blocks()));
}
__global__ void __cluster_dims__(2) pairs(int* out) {
  cooperative_groups::this_cluster().sync();
  if (threadIdx.x == 0) atomicAdd(out, 1);
}

cudaLaunchAttribute attribute = {};

cudaLaunchConfig_t config_of(unsigned grid, unsigned size) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(64);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

template <class Kernel>
cudaError_t launch(Kernel kernel, unsigned grid, unsigned size, int* out) {
  const cudaLaunchConfig_t config = config_of(grid, size);
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, out);
  cudaGetLastError();
  return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

int main() {
  int* out;
  int launches = 0, size = 0, clusters = 0, got = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaDeviceGetAttribute(&launches, cudaDevAttrClusterLaunch, 0);
  if (launches != 1) return std::puts("FAIL the device has no clusters"), 1;
  if (launch(count_blocks, 15, 16, out) == cudaSuccess)
    return std::puts("FAIL 15 blocks in clusters of 16"), 1;
  if (launch(count_blocks, 12, 8, out) == cudaSuccess) return std::puts("FAIL 12 blocks in clusters of 8"), 1;
  if (launch(count_blocks, 32, 16, out) == cudaSuccess) return std::puts("FAIL 16 without permission"), 1;
  if (launch(pairs, 8, 4, out) == cudaSuccess) return std::puts("FAIL 4 instead of 2"), 1;
  pairs<<<5, 32>>>(out);
  if (cudaGetLastError() == cudaSuccess) return std::puts("FAIL 5 blocks in pairs"), 1;
  if (launch(count_blocks, 16, 8, out) != cudaSuccess || launch(count_blocks, 5, 1, out) != cudaSuccess ||
      launch(pairs, 6, 2, out) != cudaSuccess)
    return std::puts("FAIL a launch that is right"), 1;
  cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 16 * 8 + 5 + 6) return std::printf("FAIL got %d\n", got), 1;
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, pairs);
  if (attributes.requiredClusterWidth != 2) return std::puts("FAIL requiredClusterWidth"), 1;
  const cudaLaunchConfig_t config = config_of(64, 4);
  if (cudaOccupancyMaxPotentialClusterSize(&size, count_blocks, &config) != cudaSuccess || size != 8)
    return std::printf("FAIL largest cluster %d\n", size), 1;
  if (cudaOccupancyMaxActiveClusters(&clusters, count_blocks, &config) != cudaSuccess || clusters < 1)
    return std::printf("FAIL clusters at once %d\n", clusters), 1;
  std::puts("PASS");
}
