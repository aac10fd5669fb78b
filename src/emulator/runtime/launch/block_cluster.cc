#include "runtime/launch/block_cluster.h"

#include <algorithm>

#include "runtime/launch/fault.h"
#include "runtime/launch/global_races.h"

namespace cuset_emulator {
namespace {

constexpr int kWatchdogError = 702;  // what a GPU's watchdog says of a kernel that never ends

}  // namespace

BlockCluster::BlockCluster(const LaunchPlan& plan)
    : plan_(plan),
      members_(plan.cluster_blocks()),
      by_rank_(plan.cluster_blocks()),
      numbers_(plan.cluster_blocks()) {
  for (Member& member : members_) member.block = std::make_unique<Block>(plan);
}

void BlockCluster::begin(uint64_t cluster) {
  const auto rank_at = [&](size_t turn) {
    return static_cast<uint32_t>(plan_.schedule().block_at(turn, members_.size(), plan_.number()));
  };
  for (size_t turn = 0; turn < members_.size(); ++turn) {
    Member& member = members_[turn];
    member.state = Block::State::kYielding;
    numbers_[turn] = plan_.block_of_cluster(cluster, rank_at(turn));
    member.block->begin(numbers_[turn]);
    by_rank_[rank_at(turn)] = member.block.get();
  }
  if (members_.size() == 1) return;
  for (uint32_t rank = 0; rank < by_rank_.size(); ++rank) by_rank_[rank]->join_cluster(by_rank_, rank);
}

Block::State BlockCluster::run() {
  using State = Block::State;
  while (true) {
    for (Member& member : members_) {
      if (member.state != State::kFinished) member.state = member.block->run();
    }
    const size_t living = members_.size() - count(State::kFinished);
    if (living == 0) return State::kFinished;
    if (count(State::kAtClusterBarrier) == living) {
      release_cluster_barrier();
      continue;
    }
    if (count(State::kPreempted) > 0) return State::kPreempted;
    if (count(State::kAtGridBarrier) == living) return State::kAtGridBarrier;
    if (count(State::kYielding) > 0) return State::kYielding;
    fail_launch(kWatchdogError,
                "deadlock: some blocks of a cluster wait at its barrier, others at the grid's");
  }
}

void BlockCluster::release_grid_barrier() {
  for (Member& member : members_) {
    if (member.state == Block::State::kAtGridBarrier) member.block->release_grid_barrier();
  }
}

bool BlockCluster::take_progress() {
  bool any = false;
  for (Member& member : members_) any |= member.block->take_progress();
  return any;
}

void BlockCluster::release_cluster_barrier() {
  for (Member& member : members_) {
    if (member.state == Block::State::kAtClusterBarrier) member.block->release_cluster_barrier();
  }
  if (plan_.checked() && members_.size() > 1) GlobalRaces::instance().meet(numbers_);
}

size_t BlockCluster::count(Block::State state) const {
  return static_cast<size_t>(std::count_if(members_.begin(), members_.end(),
                                           [&](const Member& member) { return member.state == state; }));
}

}  // namespace cuset_emulator
