#include "ops/gpu_memory.h"

#include <torch/cuda.h>

#if CUSET_LIBTORCH_HAS_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace cuset {

#if CUSET_LIBTORCH_HAS_CUDA

uint64_t peak_gpu_bytes(int device) {
  if (!torch::cuda::is_available()) return 0;
  const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(device));
  const auto all = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return static_cast<uint64_t>(stats.allocated_bytes[all].peak);
}

void reset_peak_gpu_bytes(int device) {
  if (!torch::cuda::is_available()) return;
  c10::cuda::CUDACachingAllocator::resetPeakStats(static_cast<c10::DeviceIndex>(device));
}

#else

uint64_t peak_gpu_bytes(int) { return 0; }
void reset_peak_gpu_bytes(int) {}

#endif

void wait_for_gpu() {
  if (torch::cuda::is_available()) torch::cuda::synchronize();
}

}  // namespace cuset
