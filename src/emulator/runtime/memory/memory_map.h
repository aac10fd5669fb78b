// What memory a CUDA program owns: device, managed, pinned and symbol memory by address. Device memory lives
// in one reserved range of addresses that the host may not touch outside launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cuset_emulator {

enum class MemoryKind { kDevice, kManaged, kPinned, kVariable, kRegistered, kDeviceHeap };

struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  uint64_t number = 0;  // counts up with each allocation of the program, for messages
  bool freed = false;
};

// The allocation that holds `address`, living or (remembered for a while) freed; none if nobody ever owned
// it. Safe from any thread, without locks while kernels run.
std::optional<Allocation> find_allocation(uint64_t address);

// Initialization of device memory, byte by byte, kept in checked programs only. Copies and memsets mark;
// kernels mark by their stores.
bool tracks_initialization();
void mark_initialized(uint64_t address, uint64_t bytes);
bool is_initialized(uint64_t address, uint64_t bytes);  // all of it

// Device memory becomes accessible for a launch and stops being so after it.
void open_device_memory();
void close_device_memory();

}  // namespace cuset_emulator
