// The checks of --check for one block: bounds, alignment, lifetime and initialization of what a thread
// touches, races in shared memory (in global memory: global_races.h), barriers and warp operations that not
// all take part in.
//
// Order between threads of a block: a barrier orders all; an operation of a warp orders its lanes (vector
// clocks of 32 lanes). Two accesses to a byte of shared memory race if neither order holds, they come from
// different threads, one of them writes and not both are atomic; two writes of the same value do not. Threads that synchronize by hand (locks,
// flags) are left out until the next barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/launch/global_races.h"
#include "runtime/launch/launch_plan.h"
#include "runtime/launch/warp_operations.h"
#include "runtime/memory/memory_map.h"

namespace cuset_emulator {

enum class Access : uint32_t {
  kRead = 0,
  kWrite = 1,
  kAtomic = 2,
  kExchange = 3,    // atomic too: compare-and-swap or exchange, of which locks are made
  kCopySource = 4,  // of a struct, whose padding need not be written
  kCopyTarget = 5,
  kFetch = 6,         // atomic, and the old value is used
  kWatch = 7,         // an atomic read, or one of a loop that waits for others
  kAtomicStore = 8,   // atomic, and nothing is read
  kWriteUniform = 9,  // of a value that is the same for all threads
};
inline bool reads_only(Access kind) {
  return kind == Access::kRead || kind == Access::kCopySource || kind == Access::kWatch;
}
inline bool writes_only(Access kind) {
  return kind == Access::kWrite || kind == Access::kWriteUniform || kind == Access::kCopyTarget ||
         kind == Access::kAtomicStore;
}

// In place of a thread's number: one of another block of the cluster, whose accesses are not held against others.
constexpr uint16_t kNeighbor = UINT16_MAX;

constexpr uint32_t kReleases = 1 << 8;  // added to the kind of an atomic operation with release semantics

// Wrong accesses go there instead, so that the program goes on.
uint64_t harmless_address();

// A wrong free in device code, at the place that the context names; in checked programs.
void report_invalid_free(const char* text);

// Before and after the blocks of a checked launch.
void begin_checks(const LaunchPlan& plan);
void end_checks(const LaunchPlan& plan);

// A block's own memory. Behind its shared memory lies room that belongs to nobody, so that overflows can be
// told.
struct BlockMemory {
  uint64_t start;
  uint64_t bytes;
  uint64_t shared_room;  // from the start: shared memory and the room behind it
};

class BlockChecks {
 public:
  BlockChecks(const LaunchPlan& plan, const BlockMemory& memory);

  void begin_block(const uint32_t index[3]);
  void end_block() { tell_pending_races(); }
  void enter();  // accesses of this worker's thread now belong to this block

  void warp_synchronized(uint32_t warp, uint32_t lanes, const Request* requests);
  void barrier_released(const Request* requests, uint32_t exited, bool partial);
  void synchronizes_by_hand(uint32_t thread);
  bool preempts();  // whether the running thread lets others run at the place where it is
  void grid_barrier_released(const Request* requests);
  void cluster_barrier_released(const Request* requests);
  // Of the blocks of a cluster, by their rank, this one among them.
  void join_cluster(std::vector<BlockChecks*> blocks) { cluster_ = std::move(blocks); }
  void report_deadlock(const Request* requests);

  // One access of the running thread; called by instrumented device code. A wrong one is reported and its
  // address replaced by that of harmless memory.
  void access(uint64_t& address, uint32_t bytes, uint32_t alignment, Access kind, const CusetSite* site);
  void next_access_releases(bool releases) { releases_ = releases; }
  void fence();  // of the running thread, for the whole device

  // An access through a variable whose place and size are known must stay inside of it.
  struct ObjectRange {
    uint64_t start;
    uint64_t bytes;
    const char* name;
  };
  void access_object(uint64_t& address, uint32_t bytes, Access kind, const ObjectRange& object,
                     const CusetSite* site);

  // memcpy, memmove (or, without a source, memset) in device code.
  void copy(uint64_t target, uint64_t source, uint64_t bytes, const CusetSite* site);

  // A finding about the running thread.
  void report(const char* kind, const CusetSite* site, const std::string& text);

 private:
  // The last write and the last reads of one byte of shared memory.
  struct Cell {
    uint32_t write_epoch = 0;  // 0: not written in this block
    uint16_t writer = 0;
    uint16_t write_clock = 0;
    uint32_t read_epoch = 0;
    uint16_t reader = 0;
    uint16_t read_clock = 0;
    uint16_t other_reader = 0;  // another thread that read it in this epoch, if there is one; else the same
    uint16_t other_clock = 0;
    bool write_was_atomic = false;
    uint32_t write_site = 0;  // into sites_
    uint32_t read_site = 0;
  };

  // A write over what another thread wrote races only if it changes the value, which is known when the thread
  // resumes.
  struct PendingWrite {
    uint64_t address = 0;  // 0: none
    uint32_t bytes = 0;
    uint32_t thread = 0;
    const CusetSite* site = nullptr;
    std::string text;  // of the race; empty: there is none
    char before[128] = {};
  };

  struct Lane {
    // Clock of each lane of the warp that it has seen
    std::vector<uint16_t> known = std::vector<uint16_t>(CUSET_WARP_SIZE, 0);
    uint16_t clock = 1;
    uint32_t by_hand_epoch = 0;
    uint32_t passed_preemptions = 0;  // places where it could have been interrupted
  };

  void check_global(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site);
  void check_shared(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site);
  bool check_race(const Cell& cell, uint32_t thread, Access kind, const CusetSite* site);
  void suspend_until_written(uint64_t address, uint32_t bytes, const CusetSite* site);
  void tell_pending_races();
  void note_access(Cell& cell, uint32_t thread, Access kind, const CusetSite* site);
  void mark_written(uint64_t target, uint64_t bytes, const CusetSite* site);
  void check_initialized(uint64_t address, uint32_t bytes, Access kind, const Allocation& allocation,
                         const CusetSite* site);
  void check_global_race(uint64_t address, uint32_t bytes, Access kind, const Allocation& allocation,
                         const CusetSite* site);
  GlobalRaces::Actor running_thread() const;
  bool is_own(uint64_t address) const;
  BlockChecks* neighbor_with(uint64_t address) const;
  bool check_neighbor(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site);
  uint32_t touched_by_neighbor(uint64_t address, uint32_t bytes, Access kind);
  bool ordered(uint32_t earlier, uint32_t epoch, uint16_t clock, uint32_t thread) const;
  uint32_t number_of(const CusetSite* site);
  void report(const char* kind, const CusetSite* site, const std::string& text, uint32_t thread);

  const LaunchPlan& plan_;
  BlockMemory memory_;
  uint32_t index_[3] = {0, 0, 0};
  uint64_t number_ = 0;  // in the grid
  uint32_t epoch_ = 1;
  bool releases_ = false;
  std::vector<Cell> cells_;
  std::vector<Lane> lanes_;  // by thread
  PendingWrite pending_;
  std::vector<BlockChecks*> cluster_;  // empty: a cluster of its own
  std::vector<const CusetSite*> sites_;
  uint32_t last_site_ = 0;  // into sites_
};

}  // namespace cuset_emulator
