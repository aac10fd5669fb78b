// The memory of the emulated device, behind memory_map.h: one arena of device memory that the host may not
// touch outside launches, one of memory that host and device share (managed, pinned), and ranges the program
// owns by itself (variables of device code, registered host memory).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/memory/memory_map.h"

namespace cuset_emulator {

// The memory the device presents: $CUSET_EMULATOR_MEMORY in bytes, else three quarters of what the machine or
// the memory limit around this process has.
uint64_t total_device_memory();
uint64_t free_device_memory();

// New memory of this kind, at least 512-byte aligned; its first 256 MiB are filled with a pattern that is a
// NaN in every floating-point type. 0 if the device's memory is used up. A request of no bytes is the
// caller's case.
uint64_t allocate_memory(uint64_t bytes, MemoryKind kind);

// True if `address` was the start of a living allocation of this kind.
bool free_memory(uint64_t address, MemoryKind kind);
void free_all_device_memory();  // device, managed and pinned, for cudaDeviceReset

// Ranges outside the arenas, numbered here. adopt_ranges does nothing and returns false if one overlaps what
// is there.
bool adopt_ranges(std::vector<Allocation> ranges);
bool release_range(uint64_t address, MemoryKind kind);

// Living managed and pinned memory, by address.
std::vector<Allocation> shared_allocations();

// Where kernels run in another process (remote/remote_device.h): that process hears of every allocation, has
// the arenas at the same addresses, and allocates what it hears of there.
struct MemoryObserver {
  void (*allocated)(const Allocation& allocation) = nullptr;
  void (*freed)(uint64_t address) = nullptr;
};
void observe_memory(const MemoryObserver& observer);
struct MemoryBases {
  uint64_t device = 0;
  uint64_t shared = 0;
};
MemoryBases memory_bases();
bool allocate_memory_at(uint64_t address, uint64_t bytes, MemoryKind kind);
// Device code's own allocations get addresses that nobody else is given.
void keep_heap_apart();

// True if the address lies in one of the arenas, allocated or not.
bool is_reserved(uint64_t address);

void track_initialization();  // from now on; called when a checked kernel is registered
void copy_initialization(uint64_t to, uint64_t from, uint64_t bytes);

// memory_map.h's open and close are this gate's; calls of the host open a passage.
class DeviceGate;
DeviceGate& device_gate();

}  // namespace cuset_emulator
