// Cooperative groups: the whole grid of a cooperative launch. Groups over several devices are not served.
#pragma once

#include "cuset_emulator/cooperative_groups/thread_block.h"

namespace cooperative_groups {

class grid_group {
 public:
  struct arrival_token {};

  __device__ static bool is_valid() { return true; }
  __device__ static void sync() { cuset_request(CUSET_GRID_BARRIER, 0, 0, 0); }
  __device__ static arrival_token barrier_arrive() { return arrival_token{}; }
  __device__ static void barrier_wait(arrival_token&&) { sync(); }
  __device__ static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long num_threads() { return num_blocks() * internal::block_threads(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * internal::block_threads() + cuset_context.linear_thread;
  }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 block_index() { return blockIdx; }
#if CUSET_ARCHITECTURE >= 900
  __device__ static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  __device__ static dim3 cluster_index() { return __clusterIdx(); }
  __device__ static unsigned long long num_clusters() { return num_blocks() / __clusterSizeInBlocks(); }
  __device__ static unsigned long long cluster_rank() {
    const dim3 index = __clusterIdx(), size = __clusterGridDimInClusters();
    return (static_cast<unsigned long long>(index.z) * size.y + index.y) * size.x + index.x;
  }
#endif
};

CUSET_DEVICE_FUNCTION grid_group this_grid() { return grid_group(); }

class multi_grid_group {
 public:
  __device__ static void sync() {}
};
CUSET_DEVICE_FUNCTION multi_grid_group this_multi_grid() {
  cuset_unsupported("multi-device cooperative groups");
}

}  // namespace cooperative_groups
