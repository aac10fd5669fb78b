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

struct Memory {
  const uint64_t total = presented_memory();
  Arena device{std::max(kSmallestReservation, 4 * total), PROT_NONE};
  Arena shared{std::max(kSmallestReservation, 4 * total), PROT_READ | PROT_WRITE};
  DeviceGate gate{device};
  OwnedRanges ranges;
  std::atomic<uint64_t> used{0};
  std::atomic<uint64_t> next_number{1};
  std::mutex living_mutex;
  std::set<uint64_t> living;  // starts of allocations in both arenas
};

// Never destroyed: destructors of the program's own globals still free memory.
Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

bool is_on_device(MemoryKind kind) { return kind == MemoryKind::kDevice || kind == MemoryKind::kDeviceHeap; }

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

uint64_t allocate_memory(uint64_t bytes, MemoryKind kind) {
  uint64_t footprint = Arena::footprint(bytes);
  if (bytes > memory().total || !take_from_budget(footprint)) return 0;
  Arena& arena = is_on_device(kind) ? memory().device : memory().shared;
  uint64_t address = arena.allocate({bytes, kind, memory().next_number++});
  if (address == 0) {
    memory().used -= footprint;
    return 0;
  }
  {
    std::lock_guard lock(memory().living_mutex);
    memory().living.insert(address);
  }
  if (is_on_device(kind)) {
    forget_initialization(address, bytes);
    DeviceGate::Passage passage(device_gate(), {address, bytes}, {});
    std::memset(reinterpret_cast<void*>(address), kPoison, std::min(bytes, kPoisonedBytes));
  } else {
    std::memset(reinterpret_cast<void*>(address), kPoison, std::min(bytes, kPoisonedBytes));
  }
  return address;
}

bool free_memory(uint64_t address, MemoryKind kind) {
  Arena& arena = is_on_device(kind) ? memory().device : memory().shared;
  const std::optional<Allocation> found = arena.find(address);
  if (!found || found->kind != kind) return false;
  const std::optional<Allocation> freed = arena.free(address);
  if (!freed) return false;  // by another thread meanwhile
  memory().used -= Arena::footprint(freed->bytes);
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

bool adopt_ranges(std::vector<Allocation> ranges) {
  for (Allocation& range : ranges) range.number = memory().next_number++;
  return memory().ranges.add(ranges);
}

bool release_range(uint64_t address, MemoryKind kind) { return memory().ranges.remove(address, kind); }

std::optional<Allocation> find_allocation(uint64_t address) {
  if (memory().device.contains(address)) return memory().device.find(address);
  if (memory().shared.contains(address)) return memory().shared.find(address);
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
