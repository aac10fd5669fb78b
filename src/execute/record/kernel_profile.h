// What the kernels of a run take of the device: their share of the time, how many threads of each fit a multiprocessor, and
// how fast the memory that they reach would have to pass by.
//
// Theoretical occupancy is the share of a multiprocessor's warps that can be resident. Blocks are resident as a whole, as
// many as threads, blocks, registers and shared memory allow. Registers are given to warps in units of 256, from the
// quarter of the multiprocessor on which the warp runs; every block takes some shared memory for the system's own use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/machine/gpu.h"
#include "execute/executor.h"
#include "execute/record/kernel_timeline.h"

namespace cuset::execute {

struct Occupancy {
  double share =
      0;  // of the warps that a multiprocessor can hold; 0: no block fits, or the device is not known
  uint32_t blocks = 0;     // on one multiprocessor
  std::string_view limit;  // what allows no more blocks: "threads", "blocks", "registers", "shared memory"
};

Occupancy occupancy_of(const KernelLaunches& kernel, const base::GpuInfo& gpu);
// The limit of this name, as a text that lasts; empty where there is none.
std::string_view occupancy_limit_named(std::string_view name);

// The footprint of a kernel (KernelLaunches) over its time: the rate of memory if all that its arguments reach passed by once.
struct FootprintRate {
  double gigabytes_per_second = 0;  // 0: the footprint is not known
  double share = 0;                 // of the bandwidth of the device's memory; 0: that is not known
};

FootprintRate footprint_rate_of(const KernelLaunches& kernel, const base::GpuInfo& gpu);

struct KernelProfile {
  KernelLaunches kernel;
  double share = 0;  // of the time of all kernels
  Occupancy occupancy;
  FootprintRate footprint;
};

// The kernels that ran, the one that took most of the time first.
std::vector<KernelProfile> profile_of(const std::vector<KernelLaunches>& kernels, const base::GpuInfo& gpu);

// The kernels of a part of the timeline, one entry for each name and shape.
std::vector<KernelLaunches> launches_in(const std::vector<DeviceActivity>& activities);

}  // namespace cuset::execute
