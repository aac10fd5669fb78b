#include "ops/device/gpu_memory.h"

#include <torch/cuda.h>
#include <unistd.h>

#if CUSET_LIBTORCH_HAS_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace cuset::ops {

uint64_t peak_gpu_memory([[maybe_unused]] int gpu) {
#if CUSET_LIBTORCH_HAS_CUDA
  if (gpu < 0) return 0;
  const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(gpu));
  constexpr auto kAll = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return static_cast<uint64_t>(stats.allocated_bytes[kAll].peak);
#else
  return 0;
#endif
}

void reset_peak_gpu_memory([[maybe_unused]] int gpu) {
#if CUSET_LIBTORCH_HAS_CUDA
  if (gpu >= 0) c10::cuda::CUDACachingAllocator::resetPeakStats(static_cast<c10::DeviceIndex>(gpu));
#endif
}

void wait_for_gpu() {
  if (torch::cuda::is_available()) torch::cuda::synchronize();
}

uint64_t main_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) : 0;
}

}  // namespace cuset::ops
