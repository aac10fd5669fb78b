// The blocks of one cluster on the calling worker: all live at once, take turns and meet at the cluster's barriers. A block
// of a launch without clusters is a cluster of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/launch/block.h"
#include "runtime/launch/launch_plan.h"

namespace cuset_emulator {

class BlockCluster {
 public:
  explicit BlockCluster(const LaunchPlan& plan);

  // Starts over as a cluster of the grid.
  void begin(uint64_t cluster);

  // Goes on until all blocks are in one of the states: kFinished where all are done, kAtGridBarrier where those that live
  // wait there, kPreempted where one is, else kYielding.
  Block::State run();

  void release_grid_barrier();

  // As Block's, of any of them.
  bool take_progress();

 private:
  struct Member {
    std::unique_ptr<Block> block;
    Block::State state = Block::State::kYielding;
  };

  void release_cluster_barrier();
  size_t count(Block::State state) const;

  const LaunchPlan& plan_;
  std::vector<Member> members_;  // in the order of their turns
  std::vector<Block*> by_rank_;
  std::vector<uint64_t> numbers_;  // in the grid
};

}  // namespace cuset_emulator
