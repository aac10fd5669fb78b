// Races in global memory, within a block and between blocks of one launch (--check).
//
// Every word of four bytes has the marks of its last write and update and of two of its last reads. An access races with
// a marked one of another thread if nothing orders the two and it is
//   - a plain write over a write, and the value changes (all may store the same);
//   - a plain write after a plain read, or the reverse, unless what is written is the same for all threads
//     (visited[v] = 1): who reads early or late then sees one of two known values, and if that matters, other
//     orders of the threads show it;
//   - an atomic update after a plain write.
// Plain reads beside atomic updates are left alone: programs poll, and look before they update.
//
// What orders: within a block its barriers and warp operations (checks.h); between blocks the barrier of the
// grid, and messages: a block that writes, then has a fence, and then updates or stores a word has told this to every
// block that later fetches the word with an atomic operation or waits for it in a loop, and to all who hear from those.
// The fence is of the thread that wrote or of the one that tells; an operation with release semantics needs none. That
// the listener needs a fence too (or acquire semantics) is not asked for: volatile and atomic reads do without on GPUs.
//
// Checked launches run on one worker, so nothing here is locked. Memory beyond 32 MiB is not followed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cuset_emulator/abi.h"
#include "runtime/memory/memory_map.h"

namespace cuset_emulator {

class GlobalRaces {
 public:
  // The thread that touches memory, and when: barriers its block has passed, clock among the lanes of its warp.
  struct Actor {
    uint64_t block;  // number in the grid
    uint32_t thread;
    uint32_t epoch;
    uint16_t clock;
  };
  enum class Touch : uint8_t {
    kRead,
    kWrite,
    kWriteUniform,  // the same value in all threads
    kUpdate         // atomic, whether or not it reads
  };
  struct Mark {
    uint32_t time = 0;  // 0: none
    uint32_t block = 0;
    uint32_t epoch = 0;
    uint16_t thread = 0;
    uint16_t clock = 0;
    uint16_t site = 0;  // into sites_
    uint8_t bytes = 0;  // of the word, one bit each
    Touch touch = Touch::kRead;
  };
  struct Race {
    Mark earlier;
    const CusetSite* earlier_site;
    Touch touch;
    Actor actor;
    const CusetSite* site;
  };
  // Whether the running block itself puts the earlier access of one of its threads before the actor's.
  using OrderInBlock = bool (*)(const void* block, const Mark& earlier, const Actor& actor);

  // Of this program.
  static GlobalRaces& instance();

  void begin_launch();
  void pass_grid_barrier();
  // A barrier of these blocks alone.
  void meet(const std::vector<uint64_t>& blocks);

  struct Access {
    uint64_t address;
    uint32_t bytes;
    Touch touch;
    Actor actor;
    const CusetSite* site;
  };
  // A race that is certain now, or that take_pending() told.
  std::optional<Race> access(const Access& access, const Allocation& allocation, OrderInBlock ordered,
                             const void* block);
  // A write over what another thread read or wrote races only if it changed the value, which is known when the
  // thread resumes: the race of the last write, if it is one.
  std::optional<Race> take_pending();

  // What the actor's block did until its last fences; with `releases`, until now.
  void tell(uint64_t address, const Actor& actor, bool releases);
  void fence(const Actor& actor);
  // What others told at this address, and what its last writer did before.
  void hear(uint64_t address, const Actor& actor, const Allocation& allocation);

 private:
  struct Cell {
    Mark write;  // plain
    Mark update;
    Mark read;
    Mark other_read;  // of another thread than `read`
  };
  struct Shadow {
    uint64_t number = 0;  // of the allocation
    uint64_t start = 0;
    uint64_t bytes = 0;
    Cell* cells = nullptr;
  };
  struct Pending {
    Race race;
    uint64_t address;
    uint32_t bytes;
    char before[128];
  };
  using Times = std::vector<uint32_t>;  // ascending
  struct Told {
    uint32_t time;
    uint16_t thread;
    bool releases;
  };
  using Tells = std::vector<Told>;  // ascending
  struct Word {
    std::unordered_map<uint32_t, Tells> told;  // by block
    uint32_t last_heard = 0;
  };

  Cell* cells_of(const Allocation& allocation);
  void forget_shadows();
  bool is_ordered(const Mark& earlier, const Access& access, OrderInBlock ordered, const void* block);
  bool is_told(const Told& told, const Mark& earlier) const;
  bool is_told(const Tells& tells, const Mark& earlier, uint32_t heard) const;
  uint32_t told_until(const Tells& tells, uint32_t block, uint32_t heard) const;
  bool had_fence(uint32_t block, uint16_t thread, uint32_t after, uint32_t until) const;
  bool has_heard_directly(const Mark& earlier, uint32_t block);
  bool has_heard(const Mark& earlier, uint32_t block);
  bool meets(const Mark& mark, const Access& access, uint8_t bytes) const;
  std::optional<Race> check(const Cell& cell, const Access& access, uint8_t bytes, OrderInBlock ordered,
                            const void* block);
  void note(Cell& cell, const Access& access, uint8_t bytes);
  Race race_with(const Mark& earlier, const Access& access) const;
  void suspend_until_written(const Race& race, const Access& access);
  uint16_t number_of(const CusetSite* site);

  uint32_t time_ = 1;
  uint32_t launch_start_ = 1;
  uint32_t grid_barrier_ = 0;                     // the time of the last one
  std::unordered_map<uint64_t, Shadow> shadows_;  // by start
  uint64_t shadow_bytes_ = 0;
  Shadow recent_[16];
  std::unordered_map<uint64_t, Word> words_;  // by address
  std::unordered_map<uint32_t, std::unordered_map<uint64_t, uint32_t>>
      listeners_;                                      // block -> address -> time
  std::unordered_map<uint64_t, Times> thread_fences_;  // by block and thread
  std::unordered_map<uint32_t, Times> block_fences_;
  std::optional<Pending> pending_;
  std::vector<const CusetSite*> sites_{nullptr};
  std::unordered_map<const CusetSite*, uint16_t> site_numbers_;
  uint16_t last_site_ = 0;
};

}  // namespace cuset_emulator
