// Cooperative groups: the general thread_group, which knows at run time what it is, and the group of a whole
// block.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace internal {

enum GroupKind { kBlock, kLanes };

CUSET_DEVICE_FUNCTION unsigned int block_threads() {
  return cuset_context.block_dim[0] * cuset_context.block_dim[1] * cuset_context.block_dim[2];
}

CUSET_DEVICE_FUNCTION unsigned int lanes_below(unsigned int mask) {
  return mask & ((1u << cuset_context.lane) - 1u);
}

// The lanes of the aligned segment of `size` lanes around this thread.
CUSET_DEVICE_FUNCTION unsigned int segment_mask(unsigned int size) {
  return size >= 32 ? 0xffffffffu : ((1u << size) - 1u) << (cuset_context.lane & ~(size - 1u));
}

// A value of any size from another lane of the warp, in pieces of 8 bytes.
template <class T>
CUSET_DEVICE_FUNCTION T shuffle_any(unsigned int mask, const T& value, unsigned int source) {
  if constexpr (sizeof(T) <= 8) {
    return cuset_emulator::shuffle(mask, value, source);
  } else {
    constexpr unsigned int kWords = (sizeof(T) + 7) / 8;
    unsigned long long words[kWords] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned int i = 0; i < kWords; ++i) words[i] = cuset_emulator::shuffle(mask, words[i], source);
    T result;
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
  }
}

}  // namespace internal

// Threads of a block, or lanes of a warp named by a mask.
class thread_group {
 public:
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ unsigned long long num_threads() const {
    return kind_ == internal::kBlock ? internal::block_threads() : static_cast<unsigned int>(__popc(mask_));
  }
  __device__ unsigned long long thread_rank() const {
    return kind_ == internal::kBlock ? cuset_context.linear_thread
                                     : static_cast<unsigned int>(__popc(internal::lanes_below(mask_)));
  }
  __device__ void sync() const {
    if (kind_ == internal::kBlock) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }

  // For tiled_partition().
  __device__ internal::GroupKind kind() const { return kind_; }
  __device__ unsigned int lane_mask() const { return mask_; }
  __device__ static thread_group of_lanes(unsigned int mask) { return thread_group(internal::kLanes, mask); }

 protected:
  __device__ thread_group(internal::GroupKind kind, unsigned int mask) : kind_(kind), mask_(mask) {}

 private:
  internal::GroupKind kind_;
  unsigned int mask_;
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  __device__ thread_block() : thread_group(internal::kBlock, 0) {}
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return cuset_context.linear_thread; }
  __device__ static unsigned int size() { return internal::block_threads(); }
  __device__ static unsigned int num_threads() { return internal::block_threads(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }

  // Who arrives has to wait, so waiting as a barrier of its own orders all that arrival promises.
  __device__ static arrival_token barrier_arrive() { return arrival_token{}; }
  __device__ static void barrier_wait(arrival_token&&) { __syncthreads(); }
};

CUSET_DEVICE_FUNCTION thread_block this_thread_block() { return thread_block(); }
CUSET_DEVICE_FUNCTION thread_group this_thread() { return thread_group::of_lanes(1u << cuset_context.lane); }

template <class Group>
CUSET_DEVICE_FUNCTION void sync(const Group& group) {
  group.sync();
}

template <class Group>
CUSET_DEVICE_FUNCTION auto thread_rank(const Group& group) {
  return group.thread_rank();
}

template <class Group>
CUSET_DEVICE_FUNCTION auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
