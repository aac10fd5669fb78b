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
  const uint32_t* cluster = function.kernel->cluster_dim;
  to->clusterDimMustBeSet = cluster[0] != 0 ? 1 : 0;
  if (cluster[0] == 0) cluster = function.required_cluster;
  to->requiredClusterWidth = static_cast<int>(cluster[0]);
  to->requiredClusterHeight = static_cast<int>(cluster[1]);
  to->requiredClusterDepth = static_cast<int>(cluster[2]);
  to->nonPortableClusterSizeAllowed = function.non_portable_cluster ? 1 : 0;
  return cudaSuccess;
}

// What __cluster_dims__ says stays.
cudaError_t set_cluster_attribute(const void* stub, const KernelFunction& function,
                                  cudaFuncAttribute attribute, int value) {
  if (device_traits().compute_major < 9) return cudaErrorNotSupported;
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    allow_non_portable_cluster(stub, value != 0);
    return cudaSuccess;
  }
  if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference) return cudaSuccess;
  if (attribute == cudaFuncAttributeClusterDimMustBeSet || value < 0 ||
      static_cast<uint32_t>(value) > kClusterBlocks || function.kernel->cluster_dim[0] != 0)
    return cudaErrorInvalidValue;
  set_required_cluster(stub, attribute - cudaFuncAttributeRequiredClusterWidth, static_cast<uint32_t>(value));
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
        return set_cluster_attribute(stub, function, attribute, value);
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

// The cluster that a configuration names; zeros: none.
dim3 cluster_in(const cudaLaunchConfig_t& config) {
  dim3 cluster{0, 0, 0};
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const auto& named = config.attrs[i].val.clusterDim;
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) cluster = {named.x, named.y, named.z};
  }
  return cluster;
}

uint64_t blocks_on_device(const KernelFunction& function, const cudaLaunchConfig_t& config) {
  const uint64_t threads = uint64_t{config.blockDim.x} * config.blockDim.y * config.blockDim.z;
  const int each = resident_blocks(threads, function.kernel->static_shared_bytes + config.dynamicSmemBytes);
  return static_cast<uint64_t>(each) * static_cast<uint64_t>(device_traits().multiprocessors);
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

// The largest cluster of such blocks that fits onto the device.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* stub,
                                                 const cudaLaunchConfig_t* config) {
  return with_kernel(stub, [&](const KernelFunction& function) {
    if (!size || !config) return cudaErrorInvalidValue;
    if (device_traits().compute_major < 9) return cudaErrorNotSupported;
    const uint64_t most = function.non_portable_cluster ? kClusterBlocks : kPortableClusterBlocks;
    *size = static_cast<int>(std::min(most, blocks_on_device(function, *config)));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* stub,
                                           const cudaLaunchConfig_t* config) {
  return with_kernel(stub, [&](const KernelFunction& function) {
    if (!clusters || !config) return cudaErrorInvalidValue;
    const dim3 cluster = cluster_of(function, cluster_in(*config));
    if (cudaError_t error = check_cluster(function, cluster_in(*config), cluster); error != cudaSuccess)
      return error;
    *clusters =
        static_cast<int>(blocks_on_device(function, *config) / (uint64_t{cluster.x} * cluster.y * cluster.z));
    return cudaSuccess;
  });
}

}  // extern "C"
