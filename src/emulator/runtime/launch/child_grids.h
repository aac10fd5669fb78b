// Dynamic parallelism: grids that device code launches, and copies and fills that it asks for. They run when the grid that
// asked has ended, in the order of its blocks and in each block in the order of the calls, each with all that it asks for
// itself; then those that were put into the stream for the tail. That is one of the orders that a GPU may choose:
// nothing in a grid can wait for what it launched.
#pragma once

#include <cstdint>
#include <vector>

#include "cuset_emulator/abi.h"
#include "runtime/launch/launch.h"

namespace cuset_emulator {

// Bytes of an argument that does not fit into a slot.
struct alignas(64) ArgumentBytes {
  char bytes[64];
};

// What device code asked for.
struct DeviceRequest {
  const CusetKernel* kernel = nullptr;  // null: a copy, or a fill where `from` is 0
  LaunchShape shape = {};
  std::vector<uint64_t> slots = {};
  std::vector<uint32_t> sizes = {};
  std::vector<std::vector<ArgumentBytes>> structs = {};
  uint64_t to = 0;
  uint64_t from = 0;
  uint64_t bytes = 0;
  int value = 0;
  bool is_tail = false;
  uint64_t block = 0;  // that asked, by its turn
};

// Makes the module's kernels known by the address that device code has of them.
void register_child_kernels(const CusetModule& module);

// What the blocks of one launch asked for.
class DeviceRequests {
 public:
  void add(DeviceRequest request);    // from any worker
  std::vector<DeviceRequest> take();  // in order; nothing is left

 private:
  std::vector<DeviceRequest> requests_;
};

// The requests of the launch that this thread works for, and the turn of its block.
void set_device_requests(DeviceRequests* requests, uint64_t block);

// Runs what a grid asked for, and what that asks for. The first failure ends it.
LaunchEnd run_device_requests(std::vector<DeviceRequest> requests,
                              LaunchEnd (*run_grid)(const DeviceRequest& request, DeviceRequests& asked));

}  // namespace cuset_emulator
