// Runs a kernel over a grid: blocks over workers, threads of a block in turns. The caller has checked the
// shape.
#pragma once

#include <cstdint>
#include <string>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {

struct LaunchShape {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared_bytes = 0;
  uint32_t cluster[3] = {1, 1, 1};  // blocks of a cluster; divide the grid
  bool cooperative = false;
  uint64_t most_resident = 0;  // blocks that the device holds at a time; 0: not known
};

// Of a grid or a block, as files for the judge have it: "4,2,1".
inline std::string sizes_text(const uint32_t (&size)[3]) {
  return std::to_string(size[0]) + "," + std::to_string(size[1]) + "," + std::to_string(size[2]);
}

// How a launch ended. What went wrong in device code is told in `error` (a cudaError_t: 700 illegal address,
// 710 assert, 716 misaligned address, 719 launch failure) and `explanation`.
struct LaunchEnd {
  int error = 0;
  std::string explanation;
  uint64_t nanoseconds = 0;
  // Whose assertion or trap it was; zeros where that is not known.
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  uint64_t footprint_bytes = 0;  // that a GPU's kernel could reach (device_process/footprint.h); 0: not known
};

// `slots` holds kernel.parameter_count arguments and, for structs changed by the kernel, their sizes in
// `slot_bytes`.
LaunchEnd run_kernel(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                     const uint32_t* slot_bytes);

}  // namespace cuset_emulator
