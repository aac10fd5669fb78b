// Cooperative groups: lanes that run together, and the ways to cut groups further.
#pragma once

#include "cuset_emulator/cooperative_groups/tile.h"

namespace cooperative_groups {

// Any lanes of a warp; ranks count them from the lowest one.
class coalesced_group : public thread_group {
 public:
  __device__ explicit coalesced_group(unsigned int mask, unsigned int rank = 0, unsigned int count = 1)
      : thread_group(internal::kLanes, mask), mask_(mask), meta_rank_(rank), meta_count_(count) {}
  template <unsigned int Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : coalesced_group(internal::segment_mask(Size), tile.meta_group_rank(), tile.meta_group_size()) {
    static_assert(Size <= 32, "a coalesced group lies in one warp");
  }

  __device__ unsigned int size() const { return static_cast<unsigned int>(__popc(mask_)); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(internal::lanes_below(mask_)));
  }
  __device__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ unsigned int meta_group_size() const { return meta_count_; }
  __device__ void sync() const { __syncwarp(mask_); }

  template <class T>
  __device__ T shfl(const T& value, int source) const {
    return internal::shuffle_any(mask_, value, lane_of_rank(static_cast<unsigned int>(source) % size()));
  }
  template <class T>
  __device__ T shfl_up(const T& value, int delta) const {
    const unsigned int rank = thread_rank();
    const unsigned int distance = static_cast<unsigned int>(delta);
    return internal::shuffle_any(mask_, value, lane_of_rank(rank < distance ? rank : rank - distance));
  }
  template <class T>
  __device__ T shfl_down(const T& value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return internal::shuffle_any(mask_, value, lane_of_rank(delta >= size() - rank ? rank : rank + delta));
  }

  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned int ballot(int predicate) const { return to_ranks(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return to_ranks(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    return to_ranks(__match_all_sync(mask_, value, &predicate));
  }

 private:
  __device__ unsigned int lane_of_rank(unsigned int rank) const {
    unsigned int rest = mask_;
    for (; rank > 0; --rank) rest &= rest - 1;
    return static_cast<unsigned int>(__ffs(static_cast<int>(rest)) - 1);
  }
  __device__ unsigned int to_ranks(unsigned int lanes) const {
    unsigned int ranks = 0, rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if (lanes & rest & (0u - rest)) ranks |= 1u << rank;
    }
    return ranks;
  }

  unsigned int mask_;
  unsigned int meta_rank_;
  unsigned int meta_count_;
};

CUSET_DEVICE_FUNCTION coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

namespace internal {

// The members of `mask` whose rank falls into the same run of `size` ranks as this thread's.
CUSET_DEVICE_FUNCTION unsigned int run_of_ranks(unsigned int mask, unsigned int size) {
  const unsigned int own = static_cast<unsigned int>(__popc(lanes_below(mask))) / size;
  unsigned int members = 0, rank = 0;
  for (unsigned int rest = mask; rest != 0; rest &= rest - 1, ++rank) {
    if (rank / size == own) members |= rest & (0u - rest);
  }
  return members;
}

}  // namespace internal

// Tiles whose size is known at run time only.
CUSET_DEVICE_FUNCTION thread_group tiled_partition(const thread_block&, unsigned int size) {
  return thread_group::of_lanes(internal::segment_mask(size));
}
CUSET_DEVICE_FUNCTION coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  return coalesced_group(internal::run_of_ranks(parent.lane_mask(), size), parent.thread_rank() / size,
                         (parent.size() + size - 1) / size);
}
CUSET_DEVICE_FUNCTION thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  const bool block = parent.kind() == internal::kBlock;
  return thread_group::of_lanes(block ? internal::segment_mask(size)
                                      : internal::run_of_ranks(parent.lane_mask(), size));
}

template <class Group, class Label>
CUSET_DEVICE_FUNCTION coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.lane_mask(), label));
}

template <class Group>
CUSET_DEVICE_FUNCTION coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int with = __ballot_sync(group.lane_mask(), predicate);
  return coalesced_group(predicate ? with : group.lane_mask() & ~with, predicate ? 1 : 0, 2);
}

template <class Group, class Function, class... Arguments>
CUSET_DEVICE_FUNCTION void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
}

template <class Group, class Function, class... Arguments>
CUSET_DEVICE_FUNCTION auto invoke_one_broadcast(const Group& group, Function&& function,
                                                Arguments&&... arguments) {
  decltype(static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0)
    result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
