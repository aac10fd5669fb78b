// All that the blocks of one launch have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "cuset_emulator/abi.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/schedule.h"

namespace cuset_emulator {

class LaunchPlan {
 public:
  LaunchPlan(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
             const uint32_t* slot_bytes, uint64_t launch_number);

  const CusetKernel& kernel() const { return kernel_; }
  const LaunchShape& shape() const { return shape_; }
  const Schedule& schedule() const { return schedule_; }
  uint64_t number() const { return number_; }
  uint32_t threads() const { return threads_; }
  uint32_t warps() const { return (threads_ + CUSET_WARP_SIZE - 1) / CUSET_WARP_SIZE; }
  uint64_t blocks() const { return blocks_; }
  // Blocks that live together and reach each other's shared memory.
  uint32_t cluster_blocks() const { return cluster_blocks_; }
  uint64_t clusters() const { return blocks_ / cluster_blocks_; }
  bool checked() const { return (kernel_.flags & CUSET_KERNEL_CHECKED) != 0; }
  // Vectorized loops need all threads to share their arguments and the natural order.
  bool runs_as_loops() const {
    return kernel_.run_block != nullptr && copies_.empty() && schedule_.is_natural();
  }
  // Threads are coroutines that wait for each other.
  bool suspends() const { return (kernel_.flags & CUSET_KERNEL_SUSPENDS) != 0 && !runs_as_loops(); }

  uint32_t frame_stride() const { return frame_stride_; }
  uint32_t shared_bytes() const { return kernel_.dynamic_shared_start + shape_.dynamic_shared_bytes; }

  // Bytes a thread needs for its own slots and for the structs that the kernel changes; 0 if all threads
  // share them.
  uint32_t private_argument_bytes() const { return private_bytes_; }
  // The slots for a thread whose private bytes lie at `memory`, filled anew.
  const uint64_t* slots_for_thread(char* memory) const;

  // Index of a thread by its number in the block.
  using Index = CusetThreadIndex;
  const Index* indices() const { return indices_.data(); }
  const Index& index_of(uint32_t thread) const { return indices_[thread]; }

  // The block's three indices by its number in the grid.
  void block_index(uint64_t block, uint32_t index[3]) const;
  // The number of the block with this rank in a cluster.
  uint64_t block_of_cluster(uint64_t cluster, uint32_t rank) const;

 private:
  struct Copy {
    uint32_t slot;
    uint32_t bytes;
    uint32_t offset;  // in a thread's private bytes
  };

  void plan_copies(const uint32_t* slot_bytes);
  void number_threads();

  const CusetKernel& kernel_;
  LaunchShape shape_;
  const Schedule& schedule_;
  uint64_t number_;
  std::vector<uint64_t> slots_;
  std::vector<Copy> copies_;
  std::vector<Index> indices_;
  uint32_t threads_;
  uint64_t blocks_;
  uint32_t cluster_blocks_;
  uint32_t frame_stride_ = 0;
  uint32_t private_bytes_ = 0;
};

}  // namespace cuset_emulator
