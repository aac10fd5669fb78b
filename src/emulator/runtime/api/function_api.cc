// Attributes of kernels and how many of their blocks a multiprocessor holds.
#include <algorithm>
#include <optional>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/kernel_call.h"
#include "runtime/api/registry.h"
#include "runtime/remote/device_traits.h"

namespace cuset_emulator {
namespace {

constexpr int kRegisters = 32;  // nobody counts them here: a usual number that limits nothing
int architecture() { return 10 * device_traits().compute_major + device_traits().compute_minor; }

template <class Body>
cudaError_t with_kernel(const void* stub, Body body) {
  return api_call(CallKind::kImmediate, [&] {
    std::optional<KernelFunction> function = find_kernel(stub);
    return function ? body(*function) : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t describe(cudaFuncAttributes* to, const KernelFunction& function) {
  if (!to) return cudaErrorInvalidValue;
  uint64_t static_bytes = function.kernel->static_shared_bytes;
  *to = cudaFuncAttributes{};
  to->sharedSizeBytes = static_bytes;
  const uint32_t bound = function.kernel->most_threads;
  to->maxThreadsPerBlock =
      static_cast<int>(bound != 0 ? std::min<uint64_t>(bound, kThreadsPerBlock) : kThreadsPerBlock);
  to->numRegs = kRegisters;
  to->ptxVersion = architecture();
  to->binaryVersion = architecture();
  to->maxDynamicSharedSizeBytes = static_cast<int>(std::max<uint64_t>(
      function.dynamic_shared_limit, kSharedPerBlock - std::min(kSharedPerBlock, static_bytes)));
  to->preferredShmemCarveout = function.carveout;
  return cudaSuccess;
}

cudaError_t set_attribute(const void* stub, cudaFuncAttribute attribute, int value) {
  return with_kernel(stub, [&](const KernelFunction& function) {
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value + uint64_t{function.kernel->static_shared_bytes} >
                             device_traits().shared_per_block_on_request) {
          return cudaErrorInvalidValue;
        }
        set_dynamic_shared_limit(stub, static_cast<uint32_t>(value));
        return cudaSuccess;
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) {
          return cudaErrorInvalidValue;
        }
        set_carveout(stub, value);
        return cudaSuccess;
      case cudaFuncAttributeClusterDimMustBeSet:
      case cudaFuncAttributeRequiredClusterWidth:
      case cudaFuncAttributeRequiredClusterHeight:
      case cudaFuncAttributeRequiredClusterDepth:
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
      case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return cudaErrorNotSupported;  // compute capability 8.0 has no clusters
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t count_blocks(int* blocks, const void* stub, int block_size, size_t shared_bytes) {
  return with_kernel(stub, [&](const KernelFunction& function) {
    if (!blocks || block_size <= 0) return cudaErrorInvalidValue;
    uint64_t shared = shared_bytes > device_traits().shared_per_multiprocessor
                          ? device_traits().shared_per_multiprocessor
                          : function.kernel->static_shared_bytes + shared_bytes;
    *blocks = resident_blocks(static_cast<uint64_t>(block_size), shared);
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  return with_kernel(stub, [&](const KernelFunction& function) { return describe(attributes, function); });
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  return set_attribute(stub, attribute, value);
}

cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
  return with_kernel(stub, [](const KernelFunction&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig) {
  return with_kernel(stub, [](const KernelFunction&) { return cudaSuccess; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int block_size,
                                                          size_t shared_bytes) {
  return count_blocks(blocks, stub, block_size, shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int block_size, size_t shared_bytes,
                                                                   unsigned) {
  return count_blocks(blocks, stub, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* stub, int blocks,
                                                      int block_size) {
  return with_kernel(stub, [&](const KernelFunction& function) {
    if (!shared_bytes || blocks <= 0 ||
        resident_blocks(static_cast<uint64_t>(std::max(block_size, 0)), 0) < blocks) {
      return cudaErrorInvalidValue;
    }
    uint64_t each = device_traits().shared_per_multiprocessor / static_cast<uint64_t>(blocks);
    uint64_t taken = kReservedSharedPerBlock + function.kernel->static_shared_bytes;
    *shared_bytes = each > taken ? each - taken : 0;
    return cudaSuccess;
  });
}

}  // extern "C"
