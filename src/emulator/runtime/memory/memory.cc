#include "runtime/memory/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>

#include "runtime/memory/arena.h"
#include "runtime/memory/device_gate.h"
#include "runtime/memory/initialization.h"
#include "runtime/memory/memory_size.h"
#include "runtime/memory/owned_ranges.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kSmallestReservation = 64ull << 30;
constexpr uint64_t kPoisonedBytes = 256 << 20;
constexpr int kPoison = 0xFF;
// Where the arenas begin, if the system lets them: so two processes can have them at the same addresses.
constexpr uint64_t kDeviceBase = 0x2000'0000'0000;
constexpr uint64_t kSharedBase = 0x2800'0000'0000;

struct Memory {
  const uint64_t total = presented_memory();
  Arena device{std::max(kSmallestReservation, 4 * total), PROT_NONE, kDeviceBase};
  Arena shared{std::max(kSmallestReservation, 4 * total), PROT_READ | PROT_WRITE, kSharedBase};
  std::optional<Arena> heap;  // of device code, if kept apart
  DeviceGate gate{device};
  OwnedRanges ranges;
  std::atomic<uint64_t> used{0};
  std::atomic<uint64_t> next_number{1};
  std::mutex living_mutex;
  std::set<uint64_t> living;  // starts of allocations in both arenas
  MemoryObserver observer;
};

// Never destroyed: destructors of the program's own globals still free memory.
Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

bool is_on_device(MemoryKind kind) { return kind == MemoryKind::kDevice || kind == MemoryKind::kDeviceHeap; }

Arena& arena_of(MemoryKind kind) {
  if (kind == MemoryKind::kDeviceHeap && memory().heap) return *memory().heap;
  return is_on_device(kind) ? memory().device : memory().shared;
}

bool take_from_budget(uint64_t bytes) {
  uint64_t used = memory().used.load();
  do {
    if (bytes > memory().total || used > memory().total - bytes) return false;
  } while (!memory().used.compare_exchange_weak(used, used + bytes));
  return true;
}

}  // namespace

uint64_t total_device_memory() { return memory().total; }
uint64_t free_device_memory() { return memory().total - std::min(memory().total, memory().used.load()); }

namespace {

void poison(const Allocation& fresh) {
  if (is_on_device(fresh.kind)) forget_initialization(fresh.address, fresh.bytes);
  DeviceGate::Passage passage(device_gate(), {fresh.address, fresh.bytes}, {});
  std::memset(reinterpret_cast<void*>(fresh.address), kPoison, std::min(fresh.bytes, kPoisonedBytes));
}

// At `address`, or anywhere if that is 0.
uint64_t allocate_at(uint64_t address, uint64_t bytes, MemoryKind kind) {
  uint64_t footprint = Arena::footprint(bytes);
  if (bytes > memory().total || !take_from_budget(footprint)) return 0;
  const Arena::Request request{bytes, kind, memory().next_number++, address};
  address = arena_of(kind).allocate(request);
  if (address == 0) {
    memory().used -= footprint;
    return 0;
  }
  {
    std::lock_guard lock(memory().living_mutex);
    memory().living.insert(address);
  }
  const Allocation fresh{address, bytes, kind, request.number, false};
  // Where another process is the device, it has the bytes.
  const bool is_elsewhere = is_on_device(kind) && memory().observer.allocated != nullptr;
  if (!is_elsewhere) poison(fresh);
  if (memory().observer.allocated != nullptr) memory().observer.allocated(fresh);
  return address;
}

}  // namespace

uint64_t allocate_memory(uint64_t bytes, MemoryKind kind) { return allocate_at(0, bytes, kind); }

bool allocate_memory_at(uint64_t address, uint64_t bytes, MemoryKind kind) {
  return address != 0 && allocate_at(address, bytes, kind) == address;
}

bool free_memory(uint64_t address, MemoryKind kind) {
  Arena& arena = arena_of(kind);
  const std::optional<Allocation> found = arena.find(address);
  if (!found || found->kind != kind) return false;
  const std::optional<Allocation> freed = arena.free(address);
  if (!freed) return false;  // by another thread meanwhile
  memory().used -= Arena::footprint(freed->bytes);
  if (memory().observer.freed != nullptr) memory().observer.freed(address);
  std::lock_guard lock(memory().living_mutex);
  memory().living.erase(address);
  return true;
}

void free_all_device_memory() {
  std::set<uint64_t> living;
  {
    std::lock_guard lock(memory().living_mutex);
    living = memory().living;
  }
  for (uint64_t address : living) {
    if (std::optional<Allocation> found = find_allocation(address)) free_memory(address, found->kind);
  }
}

std::vector<Allocation> shared_allocations() {
  std::vector<Allocation> shared;
  std::lock_guard lock(memory().living_mutex);
  for (uint64_t address : memory().living) {
    if (const auto found = memory().shared.find(address); found && !found->freed) shared.push_back(*found);
  }
  return shared;
}

void observe_memory(const MemoryObserver& observer) { memory().observer = observer; }

MemoryBases memory_bases() { return {memory().device.base(), memory().shared.base()}; }

void keep_heap_apart() { memory().heap.emplace(kSmallestReservation, PROT_READ | PROT_WRITE, 0); }

bool adopt_ranges(std::vector<Allocation> ranges) {
  for (Allocation& range : ranges) range.number = memory().next_number++;
  return memory().ranges.add(ranges);
}

bool release_range(uint64_t address, MemoryKind kind) { return memory().ranges.remove(address, kind); }

std::optional<Allocation> find_allocation(uint64_t address) {
  if (memory().device.contains(address)) return memory().device.find(address);
  if (memory().shared.contains(address)) return memory().shared.find(address);
  if (memory().heap && memory().heap->contains(address)) return memory().heap->find(address);
  return memory().ranges.find(address);
}

bool is_reserved(uint64_t address) {
  return memory().device.contains(address) || memory().shared.contains(address);
}

DeviceGate& device_gate() { return memory().gate; }

void open_device_memory() { device_gate().open(); }
void close_device_memory() { device_gate().close(); }

// Initialization concerns device memory only: the host writes the rest behind our back.
namespace {

std::atomic<bool> tracking{false};

}  // namespace

bool tracks_initialization() { return tracking.load(std::memory_order_relaxed); }

void track_initialization() {
  if (reserve_initialization(memory().device.base(), memory().device.bytes())) tracking = true;
}

}  // namespace cuset_emulator
