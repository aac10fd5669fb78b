#include "ops/device/memory.h"

#include <c10/util/Exception.h>
#include <torch/cuda.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>

#if CUSET_LIBTORCH_HAS_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace cuset::ops {
namespace {

// Of main memory, of the CUDA runtime outside LibTorch's allocator, and of the libraries of matrix products
// and convolutions when they make their workspaces.
constexpr std::array<std::string_view, 5> kMemoryMessages = {
    "not enough memory", "can't allocate memory", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED"};

}  // namespace

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

bool is_lack_of_memory(const std::exception& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* of_libtorch = dynamic_cast<const c10::Error*>(&error);
  if (of_libtorch == nullptr) return false;
  const std::string_view text = of_libtorch->what_without_backtrace();
  return std::any_of(kMemoryMessages.begin(), kMemoryMessages.end(),
                     [&](std::string_view words) { return text.find(words) != text.npos; });
}

base::Error lack_of_memory(std::string_view remedy) {
  return base::Error("the device is out of memory").with_remedy("{}", remedy);
}

}  // namespace cuset::ops
