// Cooperative groups: tiles of a block with a size known at compile time. Up to 32 threads they are aligned
// lanes of a warp; larger ones are aligned threads of the block that can only synchronize.
#pragma once

#include "cuset_emulator/cooperative_groups/thread_block.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent = void>
class thread_block_tile;

namespace internal {

// How many tiles the parent has, and which one this is.
template <unsigned int Size, class Parent>
struct TilesOfParent {
  __device__ static unsigned int rank() { return cuset_context.linear_thread / Size; }
  __device__ static unsigned int count() { return (block_threads() + Size - 1) / Size; }
};

template <unsigned int Size, unsigned int ParentSize, class Grandparent>
struct TilesOfParent<Size, thread_block_tile<ParentSize, Grandparent>> {
  __device__ static unsigned int rank() { return cuset_context.linear_thread % ParentSize / Size; }
  __device__ static unsigned int count() { return ParentSize / Size; }
};

// Barriers of tiles beyond a warp count from here, one for each tile.
constexpr unsigned int kFirstTileBarrier = 16;

// What all tiles of one size share.
template <unsigned int Size>
class Tile : public thread_group {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");

 public:
  __device__ Tile() : thread_group(kLanes, segment_mask(Size)) {}
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static unsigned int thread_rank() { return cuset_context.linear_thread % Size; }
  __device__ static void sync() {
    if constexpr (Size <= 32) {
      __syncwarp(segment_mask(Size));
    } else {
      const unsigned int left = block_threads() - cuset_context.linear_thread / Size * Size;
      cuset_request(CUSET_BARRIER, 0, left < Size ? left : Size,
                    kFirstTileBarrier + cuset_context.linear_thread / Size);
    }
  }

  template <class T>
  __device__ static T shfl(const T& value, int source) {
    return shuffle_any(mask(), value, cuset_emulator::source_by_index(cuset_context.lane, source, Size));
  }
  template <class T>
  __device__ static T shfl_up(const T& value, unsigned int delta) {
    return shuffle_any(mask(), value, cuset_emulator::source_above(cuset_context.lane, delta, Size));
  }
  template <class T>
  __device__ static T shfl_down(const T& value, unsigned int delta) {
    return shuffle_any(mask(), value, cuset_emulator::source_below(cuset_context.lane, delta, Size));
  }
  template <class T>
  __device__ static T shfl_xor(const T& value, unsigned int bits) {
    return shuffle_any(mask(), value,
                       cuset_emulator::source_by_xor(cuset_context.lane, static_cast<int>(bits), Size));
  }

  __device__ static int any(int predicate) { return __any_sync(mask(), predicate); }
  __device__ static int all(int predicate) { return __all_sync(mask(), predicate); }
  __device__ static unsigned int ballot(int predicate) { return to_ranks(__ballot_sync(mask(), predicate)); }
  template <class T>
  __device__ static unsigned int match_any(T value) {
    return to_ranks(__match_any_sync(mask(), value));
  }
  template <class T>
  __device__ static unsigned int match_all(T value, int& predicate) {
    return to_ranks(__match_all_sync(mask(), value, &predicate));
  }

 private:
  __device__ static unsigned int mask() {
    static_assert(Size <= 32, "operations between lanes need a tile of at most 32 threads");
    return segment_mask(Size);
  }
  __device__ static unsigned int to_ranks(unsigned int lanes) {
    return lanes >> (cuset_context.lane & ~(Size - 1u) & 31u);
  }
};

}  // namespace internal

template <unsigned int Size, class Parent>
class thread_block_tile : public internal::Tile<Size> {
 public:
  __device__ static unsigned int meta_group_rank() { return internal::TilesOfParent<Size, Parent>::rank(); }
  __device__ static unsigned int meta_group_size() { return internal::TilesOfParent<Size, Parent>::count(); }
};

// A tile that has forgotten the type of its parent, not its place in it.
template <unsigned int Size>
class thread_block_tile<Size, void> : public internal::Tile<Size> {
 public:
  template <class Parent>
  __device__ thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : rank_(tile.meta_group_rank()), count_(tile.meta_group_size()) {}
  __device__ unsigned int meta_group_rank() const { return rank_; }
  __device__ unsigned int meta_group_size() const { return count_; }

 private:
  unsigned int rank_;
  unsigned int count_;
};

template <unsigned int Size, class Parent>
CUSET_DEVICE_FUNCTION thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

// Tiles beyond a warp may ask for memory of the block; they need none here.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {};

template <unsigned int MaxBlockSize>
CUSET_DEVICE_FUNCTION thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return thread_block();
}

}  // namespace cooperative_groups
