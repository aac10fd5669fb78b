// Runs the threads of one block on the calling worker. Threads that wait are suspended coroutines: a warp
// runs until all its lanes wait or are done, warp operations complete when their lanes have arrived, barriers
// when all living threads have. Nothing here is random: turns follow the launch's schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/launch/launch_plan.h"
#include "runtime/launch/warp_operations.h"

namespace cuset_emulator {

class BlockChecks;

class Block {
 public:
  enum class State {
    kFinished,
    kYielding,       // every thread that could run waits for memory to change
    kPreempted,      // some threads are only to let those of other blocks run
    kAtGridBarrier,  // every living thread waits there
    kAtClusterBarrier,
  };

  explicit Block(const LaunchPlan& plan);
  ~Block();

  // Starts over as block `number` of the grid.
  void begin(uint64_t number);

  // The blocks of the cluster by their rank, this one among them; after begin().
  void join_cluster(const std::vector<Block*>& blocks, uint32_t rank);

  // Goes on until one of the states is reached. Ends the launch (fail_launch) on a deadlock.
  State run();

  void release_grid_barrier();
  void release_cluster_barrier();

  // Whether since the last call a thread did something else than to wait in the same loop for memory to change.
  bool take_progress() { return std::exchange(progressed_, false); }

 private:
  struct Warp {
    uint32_t alive = 0;
    uint32_t ready = 0;
    uint32_t started = 0;
    uint32_t in_warp_operation = 0;
    uint32_t at_barrier = 0;
    uint32_t at_grid_barrier = 0;
    uint32_t at_cluster_barrier = 0;
    uint32_t yielded = 0;
    uint32_t preempted = 0;
  };

  void enter_context();
  void enter_thread(uint32_t thread) const;
  State run_plain();
  State run_loops();
  State run_suspending();
  void run_warp(uint32_t warp);
  void run_lanes(uint32_t warp, uint32_t lanes);
  void start_lanes(uint32_t warp, uint32_t lanes);
  void resume_lanes(uint32_t warp, uint32_t lanes);
  bool resume_all_to_barrier();
  void file_context(uint32_t thread);
  void file_requests(Warp& warp, uint32_t operation, uint32_t lanes);
  bool complete_operations(uint32_t warp);
  bool complete_active_mask(uint32_t warp);
  uint32_t partners(const Warp& warp, const Request* requests, uint32_t lane) const;
  bool release_barriers();
  bool release_plain_barrier();
  bool release_barrier(uint32_t barrier, uint32_t needed);
  void file_yields(Warp& warp, uint32_t lanes);
  bool wake(uint32_t Warp::* waiting);
  bool all_ready() const;
  bool any_ready() const;
  [[noreturn]] void report_deadlock();

  const LaunchPlan& plan_;
  uint64_t number_ = 0;
  uint32_t index_[3] = {0, 0, 0};
  uint32_t living_ = 0;
  uint32_t waiting_at_grid_ = 0;
  uint32_t waiting_at_cluster_ = 0;
  uint32_t cluster_rank_ = 0;
  std::vector<char*> cluster_shared_;  // by rank
  bool has_numbered_barriers_ = false;
  bool has_votes_ = false;  // somebody waits at a barrier that counts
  std::vector<Warp> warps_;
  std::vector<Request> requests_;         // by thread
  std::vector<uint64_t> results_;         // by thread
  std::vector<const void*> yield_sites_;  // by thread: the loop it waited in last
  bool progressed_ = false;
  std::vector<uint16_t> warp_order_;
  std::vector<uint16_t> lane_order_;
  CusetThreads threads_{};
  bool sweeps_ = false;  // all threads at once from barrier to barrier
  char* shared_ = nullptr;
  char* private_arguments_ = nullptr;
  struct Memory;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<BlockChecks> checks_;
};

}  // namespace cuset_emulator
