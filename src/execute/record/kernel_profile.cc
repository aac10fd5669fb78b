#include "execute/record/kernel_profile.h"

#include <algorithm>
#include <array>

namespace cuset::execute {
namespace {

constexpr uint64_t kWarp = 32;
constexpr uint64_t kQuarters = 4;         // of a multiprocessor, each with registers of its own
constexpr uint64_t kRegisterUnit = 256;   // of a warp
constexpr uint64_t kSharedUnit = 128;     // bytes
constexpr uint64_t kUnlimited = 1 << 20;  // blocks
constexpr std::array<std::string_view, 4> kLimits = {"threads", "blocks", "registers", "shared memory"};

uint64_t rounded_up(uint64_t number, uint64_t unit) { return (number + unit - 1) / unit * unit; }

// Not more than a block can have, whatever a record says.
uint64_t threads_of(const KernelLaunches& kernel) {
  uint64_t threads = 1;
  for (const uint32_t size : kernel.block) threads *= std::clamp<uint64_t>(size, 1, 1024);
  return threads;
}

uint64_t blocks_by_registers(const KernelLaunches& kernel, uint64_t warps, const base::GpuInfo& gpu) {
  if (kernel.registers == 0) return kUnlimited;
  const uint64_t of_warp = rounded_up(uint64_t{kernel.registers} * kWarp, kRegisterUnit);
  const uint64_t of_quarter = gpu.registers_per_multiprocessor / kQuarters;
  return of_quarter / of_warp * kQuarters / warps;
}

uint64_t blocks_by_shared_memory(const KernelLaunches& kernel, const base::GpuInfo& gpu) {
  const uint64_t most = gpu.shared_bytes_per_multiprocessor;
  const uint64_t of_block =
      rounded_up(std::min(kernel.shared_bytes, most + 1) + gpu.reserved_shared_bytes_per_block, kSharedUnit);
  return of_block == 0 ? kUnlimited : most / of_block;
}

bool is_same_launch(const KernelLaunches& kernel, const DeviceActivity& activity) {
  return kernel.name == activity.name && std::equal(kernel.grid, kernel.grid + 3, activity.grid) &&
         std::equal(kernel.block, kernel.block + 3, activity.block);
}

KernelLaunches launch_of(const DeviceActivity& activity) {
  KernelLaunches kernel;
  kernel.name = activity.name;
  std::copy(activity.grid, activity.grid + 3, kernel.grid);
  std::copy(activity.block, activity.block + 3, kernel.block);
  kernel.shared_bytes = activity.shared_bytes;
  kernel.static_shared_bytes = activity.static_shared_bytes;
  kernel.registers = static_cast<uint32_t>(std::min<uint64_t>(activity.registers, UINT32_MAX));
  kernel.local_bytes = static_cast<uint32_t>(std::min<uint64_t>(activity.local_bytes, UINT32_MAX));
  kernel.shortest_ms = activity.us() * 1e-3;
  return kernel;
}

}  // namespace

Occupancy occupancy_of(const KernelLaunches& kernel, const base::GpuInfo& gpu) {
  if (gpu.threads_per_multiprocessor == 0 || gpu.registers_per_multiprocessor == 0) return {};
  const uint64_t warps = rounded_up(threads_of(kernel), kWarp) / kWarp;
  const uint64_t most_warps = gpu.threads_per_multiprocessor / kWarp;
  // In the order of their names.
  const std::array<uint64_t, kLimits.size()> blocks = {most_warps / warps, gpu.blocks_per_multiprocessor,
                                                       blocks_by_registers(kernel, warps, gpu),
                                                       blocks_by_shared_memory(kernel, gpu)};
  const auto least = std::min_element(blocks.begin(), blocks.end());
  return {static_cast<double>(*least * warps) / static_cast<double>(most_warps),
          static_cast<uint32_t>(*least), kLimits[static_cast<size_t>(least - blocks.begin())]};
}

std::string_view occupancy_limit_named(std::string_view name) {
  const auto found = std::find(kLimits.begin(), kLimits.end(), name);
  return found == kLimits.end() ? std::string_view() : *found;
}

FootprintRate footprint_rate_of(const KernelLaunches& kernel, const base::GpuInfo& gpu) {
  if (kernel.footprint_bytes == 0 || kernel.total_ms <= 0) return {};
  const double bytes = static_cast<double>(kernel.footprint_bytes) * static_cast<double>(kernel.launches);
  const double of_second = bytes / (kernel.total_ms * 1e-3);
  const auto peak = static_cast<double>(gpu.memory_bandwidth);
  return {of_second * 1e-9, peak > 0 ? of_second / peak : 0};
}

std::vector<KernelProfile> profile_of(const std::vector<KernelLaunches>& kernels, const base::GpuInfo& gpu) {
  double total = 0;
  for (const KernelLaunches& kernel : kernels) total += kernel.total_ms;
  std::vector<KernelProfile> profile;
  for (const KernelLaunches& kernel : kernels)
    profile.push_back({kernel, total > 0 ? kernel.total_ms / total : 0, occupancy_of(kernel, gpu),
                       footprint_rate_of(kernel, gpu)});
  std::stable_sort(profile.begin(), profile.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.share > b.share; });
  return profile;
}

std::vector<KernelLaunches> launches_in(const std::vector<DeviceActivity>& activities) {
  std::vector<KernelLaunches> kernels;
  for (const DeviceActivity& activity : activities) {
    if (activity.kind != DeviceActivity::Kind::kKernel) continue;
    auto found = std::find_if(kernels.begin(), kernels.end(),
                              [&](const KernelLaunches& kernel) { return is_same_launch(kernel, activity); });
    if (found == kernels.end()) found = kernels.insert(found, launch_of(activity));
    ++found->launches;
    found->total_ms += activity.us() * 1e-3;
    found->shortest_ms = std::min(found->shortest_ms, activity.us() * 1e-3);
  }
  return kernels;
}

}  // namespace cuset::execute
