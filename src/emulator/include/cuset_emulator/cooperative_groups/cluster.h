// Cooperative groups: the blocks of a cluster.
#pragma once

#include "cuset_emulator/cooperative_groups/thread_block.h"

#if CUSET_ARCHITECTURE >= 900

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};

  __device__ static void sync() { __cluster_barrier_wait(); }
  __device__ static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token{};
  }
  __device__ static void barrier_wait() { __cluster_barrier_wait(); }
  __device__ static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }

  __device__ static unsigned int query_shared_rank(const void* address) {
    return __cluster_query_shared_rank(address);
  }
  template <class T>
  __device__ static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned int>(rank)));
  }

  __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  __device__ static dim3 dim_blocks() { return __clusterDim(); }
  __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }

  __device__ static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  __device__ static unsigned int thread_rank() {
    return block_rank() * internal::block_threads() + cuset_context.linear_thread;
  }
  __device__ static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  __device__ static unsigned int num_threads() { return num_blocks() * internal::block_threads(); }
  __device__ static unsigned int size() { return num_threads(); }
};

CUSET_DEVICE_FUNCTION cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups

#endif
