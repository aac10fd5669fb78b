// What programs are told of the device: that of the emulator unless their kernels run on a GPU in another process
// (remote_device.h). By default compute capability 8.0; 9.0 where device code was compiled for that.
#pragma once

#include <cstdint>

namespace cuset_emulator {

struct DeviceTraits {
  int compute_major = 8;
  int compute_minor = 0;
  int multiprocessors = 108;
  int clock_kilohertz = 1'410'000;
  int memory_clock_kilohertz = 1'215'000;
  int memory_bus_bits = 5120;
  int cache_bytes = 40 << 20;                        // of the last level
  uint64_t shared_per_block_on_request = 163 << 10;  // with cudaFuncSetAttribute
  uint64_t shared_per_multiprocessor = 164 << 10;
};

const DeviceTraits& device_traits();

// Before the program's main.
void adopt_compute_capability_9();

}  // namespace cuset_emulator
