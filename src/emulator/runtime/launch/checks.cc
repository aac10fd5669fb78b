#include "runtime/launch/checks.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "runtime/launch/check_texts.h"
#include "runtime/launch/fault.h"
#include "runtime/launch/global_races.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory_map.h"

namespace cuset_emulator {
namespace {

constexpr int kIllegalAddress = 700;

// The block whose threads run on this worker.
thread_local BlockChecks* current = nullptr;

// Wrong accesses go here instead, so that the program goes on.
alignas(64) thread_local char harmless[256];

bool is_atomic(Access kind) {
  return kind == Access::kAtomic || kind == Access::kExchange || kind == Access::kFetch ||
         kind == Access::kAtomicStore;
}

// Takes over what other threads did before they wrote or updated the same place.
bool hears(Access kind) {
  return kind == Access::kExchange || kind == Access::kFetch || kind == Access::kWatch;
}

GlobalRaces::Touch touch_of(Access kind) {
  if (is_atomic(kind)) return GlobalRaces::Touch::kUpdate;
  if (reads_only(kind)) return GlobalRaces::Touch::kRead;
  return kind == Access::kWriteUniform ? GlobalRaces::Touch::kWriteUniform : GlobalRaces::Touch::kWrite;
}

// The stack of the worker holds local variables whose address was taken.
bool is_on_stack(uint64_t address) {
  static thread_local uint64_t bounds[2] = {0, 0};
  if (bounds[1] == 0) {
    pthread_attr_t attributes;
    void* start = nullptr;
    size_t bytes = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
      ::pthread_attr_getstack(&attributes, &start, &bytes);
      ::pthread_attr_destroy(&attributes);
    }
    bounds[0] = reinterpret_cast<uint64_t>(start);
    bounds[1] = bounds[0] + bytes;
  }
  return address >= bounds[0] && address < bounds[1];
}

void report_global_race(const LaunchPlan& plan, const GlobalRaces::Race& race) {
  const bool same_block = race.earlier.block == race.actor.block;
  const std::string text =
      std::string(verb(race.touch)) + " of what thread " + thread_text(plan, race.earlier.thread) + " of " +
      (same_block ? "the block" : "block " + block_text(plan, race.earlier.block)) + " " +
      past_verb(race.earlier.touch) + line_text(race.earlier_site) + " without anything that orders the two";
  uint32_t block[3];
  plan.block_index(race.actor.block, block);
  const LaunchPlan::Index& thread = plan.index_of(race.actor.thread);
  record_finding({.kind = "global_race",
                  .kernel = plan.kernel().name,
                  .site = race.site,
                  .block = {block[0], block[1], block[2]},
                  .thread = {thread.x, thread.y, thread.z},
                  .text = text});
}

void tell_pending_race(const LaunchPlan& plan) {
  if (const auto race = GlobalRaces::instance().take_pending()) report_global_race(plan, *race);
}

}  // namespace

uint64_t harmless_address() { return reinterpret_cast<uint64_t>(harmless); }

void begin_checks(const LaunchPlan&) { GlobalRaces::instance().begin_launch(); }
void end_checks(const LaunchPlan& plan) { tell_pending_race(plan); }

BlockChecks::BlockChecks(const LaunchPlan& plan, const BlockMemory& memory)
    : plan_(plan), memory_(memory), cells_(plan.shared_bytes()), lanes_(plan.threads()), sites_{nullptr} {}

void BlockChecks::begin_block(const uint32_t index[3]) {
  std::memcpy(index_, index, sizeof index_);
  const uint32_t* grid = plan_.shape().grid;
  number_ = index[0] + uint64_t{grid[0]} * (index[1] + uint64_t{grid[1]} * index[2]);
  epoch_ = 1;
  std::fill(cells_.begin(), cells_.end(), Cell{});
  std::fill(lanes_.begin(), lanes_.end(), Lane{});
}

void BlockChecks::enter() { current = this; }

void BlockChecks::synchronizes_by_hand(uint32_t thread) { lanes_[thread].by_hand_epoch = epoch_; }

bool BlockChecks::preempts() {
  const uint32_t thread = cuset_context.linear_thread;
  return plan_.schedule().preempts(number_ * plan_.threads() + thread, lanes_[thread].passed_preemptions++);
}

// Every lane now knows what all the others did before.
void BlockChecks::warp_synchronized(uint32_t warp, uint32_t lanes, const Request* requests) {
  const uint32_t first = warp * CUSET_WARP_SIZE;
  const auto lane_of = [&](uint32_t lane) -> Lane& { return lanes_[first + lane]; };
  const auto one = static_cast<uint32_t>(__builtin_ctz(lanes));
  const Request& request = requests[one];
  const auto* site = static_cast<const CusetSite*>(request.site);
  const uint32_t existing =
      first + CUSET_WARP_SIZE <= plan_.threads() ? ~0u : (1u << (plan_.threads() - first)) - 1;
  std::vector<uint16_t> joined(CUSET_WARP_SIZE, 0);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    if ((requests[lane].mask >> lane & 1) == 0) {
      report("warp_mask", static_cast<const CusetSite*>(requests[lane].site),
             "lane " + std::to_string(lane) + " is not in the mask " + address_text(requests[lane].mask) +
                 " it calls with",
             first + lane);
    }
    const auto* other_site = static_cast<const CusetSite*>(requests[lane].site);
    if (site != nullptr && other_site != nullptr && other_site->line != site->line) {
      report("warp_mask", site,
             "lane " + std::to_string(lane) + " meets the others at a different operation," +
                 line_text(other_site),
             first + one);
    }
    const uint32_t source = requests[lane].argument & 31;
    if (requests[lane].operation == CUSET_SHUFFLE && (lanes >> source & 1) == 0 &&
        (existing >> source & 1) != 0) {
      report("warp_mask", static_cast<const CusetSite*>(requests[lane].site),
             "lane " + std::to_string(lane) + " reads from lane " + std::to_string(source) +
                 ", which does not take part",
             first + lane);
    }
    for (uint32_t other = 0; other < CUSET_WARP_SIZE; ++other) {
      joined[other] = std::max(joined[other], lane_of(lane).known[other]);
    }
    joined[lane] = std::max(joined[lane], lane_of(lane).clock);
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    Lane& lane = lane_of(static_cast<uint32_t>(__builtin_ctz(rest)));
    lane.known = joined;
    ++lane.clock;
  }
}

void BlockChecks::barrier_released(const Request* requests, uint32_t exited, bool partial) {
  tell_pending_races();
  ++epoch_;
  if (partial) return;
  const CusetSite* first = nullptr;
  uint32_t first_thread = 0;
  for (uint32_t thread = 0; thread < plan_.threads(); ++thread) {
    const Request& request = requests[thread];
    if (!is_barrier(request.operation)) continue;
    const auto* site = static_cast<const CusetSite*>(request.site);
    if (first == nullptr) {
      first = site;
      first_thread = thread;
    } else if (site != first && site != nullptr && site->line != first->line) {
      report("divergent_barrier", site,
             "thread " + thread_text(plan_, thread) + " waits here while thread " +
                 thread_text(plan_, first_thread) + " waits at another barrier" + line_text(first),
             thread);
      return;
    }
  }
  if (exited > 0 && first != nullptr) {
    report("early_return", first,
           std::to_string(exited) + " of the block's " + std::to_string(plan_.threads()) +
               " threads returned without reaching this barrier",
           first_thread);
  }
}

void BlockChecks::grid_barrier_released(const Request* requests) {
  barrier_released(requests, 0, false);
  GlobalRaces::instance().pass_grid_barrier();
}

void BlockChecks::report_deadlock(const Request* requests) {
  for (uint32_t thread = 0; thread < plan_.threads(); ++thread) {
    const Request& request = requests[thread];
    if (request.operation == CUSET_FINISHED || request.site == nullptr) continue;
    if (is_barrier(request.operation) || request.operation == CUSET_GRID_BARRIER) continue;
    report("warp_mask", static_cast<const CusetSite*>(request.site),
           "waits for lanes of the mask " + address_text(request.mask) + " that never arrive", thread);
    return;
  }
}

void BlockChecks::access(uint64_t& address, uint32_t bytes, uint32_t alignment, Access kind,
                         const CusetSite* site) {
  tell_pending_races();
  if (alignment > 1 && address % alignment != 0) {
    report("misaligned", site,
           access_text(kind, bytes) + " at " + address_text(address) + ", which is not a multiple of " +
               std::to_string(alignment));
    address = harmless_address();
    return;
  }
  if (kind == Access::kExchange || kind == Access::kWatch) synchronizes_by_hand(cuset_context.linear_thread);
  if (address - memory_.start < memory_.shared_room) return check_shared(address, bytes, kind, site);
  if (is_own(address) || check_neighbor(address, bytes, kind, site)) return;
  check_global(address, bytes, kind, site);
}

// Frames and private arguments of the block's threads, and the worker's stack.
bool BlockChecks::is_own(uint64_t address) const {
  return address - memory_.start < memory_.bytes || is_on_stack(address);
}

void BlockChecks::check_global(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site) {
  const auto allocation = find_allocation(address);
  if (!allocation || address + bytes > allocation->address + allocation->bytes) {
    if (!count_finding_again("out_of_bounds", site)) {
      report("out_of_bounds", site, access_text(kind, bytes) + outside_text(address, bytes, allocation));
    }
    address = harmless_address();
    return;
  }
  if (allocation->freed) {
    report("use_after_free", site,
           access_text(kind, bytes) + " at offset " + std::to_string(address - allocation->address) + " of " +
               allocation_text(*allocation) + ", which is freed");
    address = harmless_address();
    return;
  }
  const bool tracked = allocation->kind == MemoryKind::kDevice || allocation->kind == MemoryKind::kDeviceHeap;
  if (tracks_initialization() && tracked) check_initialized(address, bytes, kind, *allocation, site);
  check_global_race(address, bytes, kind, *allocation, site);
}

void BlockChecks::check_global_race(uint64_t address, uint32_t bytes, Access kind,
                                    const Allocation& allocation, const CusetSite* site) {
  GlobalRaces& races = GlobalRaces::instance();
  const GlobalRaces::Actor actor = running_thread();
  if (hears(kind)) races.hear(address, actor, allocation);
  if (kind == Access::kWatch) return;
  const auto ordered = [](const void* block, const GlobalRaces::Mark& earlier,
                          const GlobalRaces::Actor& later) {
    return static_cast<const BlockChecks*>(block)->ordered(earlier.thread, earlier.epoch, earlier.clock,
                                                           later.thread);
  };
  const auto race = races.access({address, bytes, touch_of(kind), actor, site}, allocation, ordered, this);
  if (race) report_global_race(plan_, *race);
  if (is_atomic(kind)) races.tell(address, actor, releases_);
}

GlobalRaces::Actor BlockChecks::running_thread() const {
  const uint32_t thread = cuset_context.linear_thread;
  return {number_, thread, epoch_, lanes_[thread].clock};
}

void BlockChecks::fence() { GlobalRaces::instance().fence(running_thread()); }

void BlockChecks::check_initialized(uint64_t address, uint32_t bytes, Access kind,
                                    const Allocation& allocation, const CusetSite* site) {
  if (kind == Access::kCopySource) {
    for (uint32_t byte = 0; byte < bytes; ++byte) {
      if (is_initialized(address + byte, 1)) return;
    }
  } else if (writes_only(kind)) {
    return mark_initialized(address, bytes);
  } else if (is_initialized(address, bytes)) {
    return;
  }
  report("uninitialised_read", site,
         access_text(kind, bytes) + " that nobody wrote, at offset " +
             std::to_string(address - allocation.address) + " of " + allocation_text(allocation));
  mark_initialized(address, bytes);  // told once
}

void BlockChecks::check_shared(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site) {
  const uint64_t offset = address - memory_.start;
  if (offset + bytes > cells_.size()) {
    const std::string distance =
        offset < cells_.size() ? " across" : ", " + count_of(offset - cells_.size()) + " past";
    report("out_of_bounds", site,
           access_text(kind, bytes) + distance + " the end of the block's " + count_of(cells_.size()) +
               " of shared memory");
    address = harmless_address();
    return;
  }
  const uint32_t thread = cuset_context.linear_thread;
  uint32_t unwritten = 0;
  bool raced = false;
  for (uint32_t byte = 0; byte < bytes; ++byte) {
    Cell& cell = cells_[offset + byte];
    if (!writes_only(kind) && cell.write_epoch == 0) ++unwritten;
    if (!raced) raced = check_race(cell, thread, kind, site);
    note_access(cell, thread, kind, site);
  }
  if (!pending_.text.empty()) suspend_until_written(address, bytes, site);
  if (kind == Access::kCopySource ? unwritten == bytes : unwritten > 0) {
    report("uninitialised_read", site,
           access_text(kind, bytes) + " of shared memory that no thread of the block wrote, at offset " +
               std::to_string(offset));
  }
}

// Was the earlier access of a thread, made at this clock, before everything the running thread does now?
bool BlockChecks::ordered(uint32_t earlier, uint32_t epoch, uint16_t clock, uint32_t thread) const {
  if (earlier == thread || epoch < epoch_ || earlier == kNeighbor) return true;
  if (lanes_[earlier].by_hand_epoch == epoch_ || lanes_[thread].by_hand_epoch == epoch_) return true;
  if (earlier / CUSET_WARP_SIZE != thread / CUSET_WARP_SIZE) return false;
  return lanes_[thread].known[earlier % CUSET_WARP_SIZE] >= clock;
}

// Whether the access meets another one that nothing puts before it. That it races is told now, or, where all
// may have written the same, when the value is there.
bool BlockChecks::check_race(const Cell& cell, uint32_t thread, Access kind, const CusetSite* site) {
  const auto text = [&](const char* earlier_verb, uint32_t earlier, uint32_t earlier_site) {
    return std::string(verb(kind)) + " of what thread " + thread_text(plan_, earlier) + " " + earlier_verb +
           line_text(sites_[earlier_site]) + " without a barrier in between";
  };
  const bool both_atomic = is_atomic(kind) && cell.write_was_atomic;
  if (cell.write_epoch != 0 && !both_atomic &&
      !ordered(cell.writer, cell.write_epoch, cell.write_clock, thread)) {
    const std::string told = text("wrote", cell.writer, cell.write_site);
    const bool may_be_same = writes_only(kind) && !is_atomic(kind) && !cell.write_was_atomic;
    if (!may_be_same) {
      report("shared_race", site, told);
    } else if (pending_.text.empty()) {
      pending_.text = told;
    }
    return true;
  }
  if (reads_only(kind) || cell.read_epoch == 0) return false;
  for (const auto& [reader, clock] :
       {std::pair{cell.reader, cell.read_clock}, std::pair{cell.other_reader, cell.other_clock}}) {
    if (ordered(reader, cell.read_epoch, clock, thread)) continue;
    report("shared_race", site, text("read", reader, cell.read_site));
    return true;
  }
  return false;
}

void BlockChecks::suspend_until_written(uint64_t address, uint32_t bytes, const CusetSite* site) {
  pending_.address = address;
  pending_.bytes = std::min<uint32_t>(bytes, sizeof pending_.before);
  pending_.thread = cuset_context.linear_thread;
  pending_.site = site;
  std::memcpy(pending_.before, reinterpret_cast<const void*>(address), pending_.bytes);
}

void BlockChecks::tell_pending_races() {
  tell_pending_race(plan_);
  if (pending_.address == 0) return;
  if (std::memcmp(pending_.before, reinterpret_cast<const void*>(pending_.address), pending_.bytes) != 0)
    report("shared_race", pending_.site, pending_.text, pending_.thread);
  pending_.address = 0;
  pending_.text.clear();
}

void BlockChecks::note_access(Cell& cell, uint32_t thread, Access kind, const CusetSite* site) {
  const uint16_t clock = lanes_[thread].clock;
  if (!reads_only(kind)) {
    cell.write_epoch = epoch_;
    cell.writer = static_cast<uint16_t>(thread);
    cell.write_clock = clock;
    cell.write_was_atomic = is_atomic(kind);
    cell.write_site = number_of(site);
    return;
  }
  // Two readers are kept: the last, and one of another thread, so that a reader's own later write does not
  // hide a race.
  if (cell.read_epoch != epoch_) {
    cell.read_epoch = epoch_;
    cell.other_reader = static_cast<uint16_t>(thread);
    cell.other_clock = clock;
  } else if (cell.reader != thread) {
    cell.other_reader = cell.reader;
    cell.other_clock = cell.read_clock;
  }
  cell.reader = static_cast<uint16_t>(thread);
  cell.read_clock = clock;
  cell.read_site = number_of(site);
}

uint32_t BlockChecks::number_of(const CusetSite* site) {
  if (sites_[last_site_] == site) return last_site_;
  const auto found = std::find(sites_.begin(), sites_.end(), site);
  last_site_ = static_cast<uint32_t>(found - sites_.begin());
  if (found == sites_.end()) sites_.push_back(site);
  return last_site_;
}

void BlockChecks::access_object(uint64_t& address, uint32_t bytes, Access kind, const ObjectRange& object,
                                const CusetSite* site) {
  if (address >= object.start && address + bytes <= object.start + object.bytes) return;
  const bool before = address < object.start;
  const uint64_t distance = before ? object.start - address : address - (object.start + object.bytes);
  report("out_of_bounds", site,
         access_text(kind, bytes) + ", " + count_of(distance) +
             (before ? " before the start of " : " past the end of ") + object.name + " (" +
             count_of(object.bytes) + ")");
  address = reinterpret_cast<uint64_t>(harmless);
}

void BlockChecks::copy(uint64_t target, uint64_t source, uint64_t bytes, const CusetSite* site) {
  if (bytes == 0) return;
  const auto wrong = [&](uint64_t address) {
    if (is_own(address)) return false;
    if (const BlockChecks* neighbor = neighbor_with(address))
      return address - neighbor->memory_.start + bytes > neighbor->cells_.size();
    const auto allocation = find_allocation(address);
    return !allocation || allocation->freed || address + bytes > allocation->address + allocation->bytes;
  };
  if (wrong(target)) {
    report("out_of_bounds", site, access_text(Access::kWrite, bytes) + ", " + near_text(target));
    fail_launch(kIllegalAddress, "a copy in device code writes outside of memory");
  }
  if (source != 0 && wrong(source)) {
    report("out_of_bounds", site, access_text(Access::kRead, bytes) + ", " + near_text(source));
    fail_launch(kIllegalAddress, "a copy in device code reads outside of memory");
  }
  if (BlockChecks* neighbor = neighbor_with(target))
    neighbor->touched_by_neighbor(target, static_cast<uint32_t>(bytes), Access::kWrite);
  mark_written(target, bytes, site);
}

void BlockChecks::mark_written(uint64_t target, uint64_t bytes, const CusetSite* site) {
  const uint32_t thread = cuset_context.linear_thread;
  for (uint64_t byte = 0; byte < bytes && target + byte - memory_.start < cells_.size(); ++byte) {
    note_access(cells_[target + byte - memory_.start], thread, Access::kWrite, site);
  }
  if (tracks_initialization() && find_allocation(target)) mark_initialized(target, bytes);
}

void BlockChecks::report(const char* kind, const CusetSite* site, const std::string& text) {
  report(kind, site, text, cuset_context.linear_thread);
}

void BlockChecks::report(const char* kind, const CusetSite* site, const std::string& text, uint32_t thread) {
  const LaunchPlan::Index& index = plan_.index_of(thread);
  record_finding({.kind = kind,
                  .kernel = plan_.kernel().name,
                  .site = site,
                  .block = {index_[0], index_[1], index_[2]},
                  .thread = {index.x, index.y, index.z},
                  .text = text});
}

void report_invalid_free(const char* text) {
  if (current != nullptr)
    current->report("invalid_free", static_cast<const CusetSite*>(cuset_context.site), text);
}

}  // namespace cuset_emulator

using cuset_emulator::Access;
using cuset_emulator::current;
using cuset_emulator::kReleases;

// Called by instrumented device code (pass/access_checks.cc). Code outside of a launch is not checked.
extern "C" void* cuset_check_access(void* address, uint32_t bytes, uint32_t alignment, uint32_t kind,
                                    const CusetSite* site) {
  auto place = reinterpret_cast<uint64_t>(address);
  if (current != nullptr) {
    current->next_access_releases((kind & kReleases) != 0);
    current->access(place, bytes, alignment, static_cast<Access>(kind & ~kReleases), site);
  }
  return reinterpret_cast<void*>(place);
}

extern "C" void* cuset_check_object(void* address, uint32_t bytes, uint32_t kind, const void* object,
                                    uint64_t object_bytes, const char* name, const CusetSite* site) {
  auto place = reinterpret_cast<uint64_t>(address);
  if (current != nullptr) {
    current->access_object(place, bytes, static_cast<Access>(kind & ~kReleases),
                           {reinterpret_cast<uint64_t>(object), object_bytes, name}, site);
  }
  return reinterpret_cast<void*>(place);
}

extern "C" void cuset_check_copy(void* target, const void* source, uint64_t bytes, const CusetSite* site) {
  if (current != nullptr)
    current->copy(reinterpret_cast<uint64_t>(target), reinterpret_cast<uint64_t>(source), bytes, site);
}

extern "C" uint32_t cuset_preempts(void) { return current != nullptr && current->preempts() ? 1 : 0; }

extern "C" void cuset_check_fence(void) {
  if (current != nullptr) current->fence();
}
