// cudaDeviceProp and the attributes of the device, which say the same in two ways: the values are those
// documented for compute capability 8.0 or 9.0, or a GPU's (device_traits.h), the name and the size of memory are the
// emulator's own.
#include <cstdio>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/device_limits.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/device_traits.h"

namespace cuset_emulator {
namespace {

void set_execution(cudaDeviceProp& to) {
  to.major = device_traits().compute_major;
  to.minor = device_traits().compute_minor;
  to.multiProcessorCount = device_traits().multiprocessors;
  to.warpSize = kWarpSize;
  to.maxThreadsPerBlock = kThreadsPerBlock;
  for (int i = 0; i < 3; ++i) to.maxThreadsDim[i] = static_cast<int>(kBlockLimits[i]);
  for (int i = 0; i < 3; ++i) to.maxGridSize[i] = static_cast<int>(kGridLimits[i]);
  to.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  to.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  to.regsPerBlock = kRegistersPerBlock;
  to.regsPerMultiprocessor = kRegistersPerBlock;
  to.clockRate = device_traits().clock_kilohertz;
  to.computeMode = cudaComputeModeDefault;
  to.cooperativeLaunch = 1;
  to.clusterLaunch = to.major >= 9 ? 1 : 0;
  to.computePreemptionSupported = 1;
  to.streamPrioritiesSupported = 1;
  to.asyncEngineCount = 3;
  to.deviceOverlap = 1;
  to.concurrentKernels = 1;
  to.singleToDoublePrecisionPerfRatio = 2;
}

void set_memory(cudaDeviceProp& to) {
  to.totalGlobalMem = total_device_memory();
  to.totalConstMem = kConstantMemory;
  to.sharedMemPerBlock = kSharedPerBlock;
  to.sharedMemPerBlockOptin = device_traits().shared_per_block_on_request;
  to.sharedMemPerMultiprocessor = device_traits().shared_per_multiprocessor;
  to.reservedSharedMemPerBlock = kReservedSharedPerBlock;
  to.memPitch = 2147483647;
  to.l2CacheSize = device_traits().cache_bytes;
  to.memoryClockRate = device_traits().memory_clock_kilohertz;
  to.memoryBusWidth = device_traits().memory_bus_bits;
  to.ECCEnabled = 1;
  to.unifiedAddressing = 1;
  to.managedMemory = 1;
  to.concurrentManagedAccess = 1;
  to.canMapHostMemory = 1;
  to.hostRegisterSupported = 1;
  to.canUseHostPointerForRegisteredMem = 1;
  to.memoryPoolsSupported = 1;
  to.globalL1CacheSupported = 1;
  to.localL1CacheSupported = 1;
}

template <int N>
void set_sizes(int (&to)[N], const int (&sizes)[N]) {
  for (int i = 0; i < N; ++i) to[i] = sizes[i];
}

void set_textures(cudaDeviceProp& to) {
  to.textureAlignment = 512;
  to.texturePitchAlignment = 32;
  to.surfaceAlignment = 512;
  to.maxTexture1D = 131072;
  to.maxTexture1DMipmap = 32768;
  to.maxTexture1DLinear = 268435456;
  set_sizes(to.maxTexture2D, {131072, 65536});
  set_sizes(to.maxTexture2DMipmap, {32768, 32768});
  set_sizes(to.maxTexture2DLinear, {131072, 65000, 2097120});
  set_sizes(to.maxTexture2DGather, {32768, 32768});
  set_sizes(to.maxTexture3D, {16384, 16384, 16384});
  set_sizes(to.maxTexture3DAlt, {8192, 8192, 32768});
  to.maxTextureCubemap = 32768;
  set_sizes(to.maxTexture1DLayered, {32768, 2048});
  set_sizes(to.maxTexture2DLayered, {32768, 32768, 2048});
  set_sizes(to.maxTextureCubemapLayered, {32768, 2046});
  to.maxSurface1D = 32768;
  set_sizes(to.maxSurface2D, {131072, 65536});
  set_sizes(to.maxSurface3D, {16384, 16384, 16384});
  set_sizes(to.maxSurface1DLayered, {32768, 2048});
  set_sizes(to.maxSurface2DLayered, {32768, 32768, 2048});
  to.maxSurfaceCubemap = 32768;
  set_sizes(to.maxSurfaceCubemapLayered, {32768, 2046});
}

cudaDeviceProp properties() {
  cudaDeviceProp result{};
  std::snprintf(result.name, sizeof(result.name), "CuSeT CPU emulator");
  set_execution(result);
  set_memory(result);
  set_textures(result);
  return result;
}

struct Attribute {
  cudaDeviceAttr name;
  size_t value;
};

std::vector<Attribute> attributes(const cudaDeviceProp& p) {
  auto size = [](auto value) { return static_cast<size_t>(value); };
  return {
      {cudaDevAttrMaxThreadsPerBlock, size(p.maxThreadsPerBlock)},
      {cudaDevAttrMaxBlockDimX, size(p.maxThreadsDim[0])},
      {cudaDevAttrMaxBlockDimY, size(p.maxThreadsDim[1])},
      {cudaDevAttrMaxBlockDimZ, size(p.maxThreadsDim[2])},
      {cudaDevAttrMaxGridDimX, size(p.maxGridSize[0])},
      {cudaDevAttrMaxGridDimY, size(p.maxGridSize[1])},
      {cudaDevAttrMaxGridDimZ, size(p.maxGridSize[2])},
      {cudaDevAttrWarpSize, size(p.warpSize)},
      {cudaDevAttrMaxRegistersPerBlock, size(p.regsPerBlock)},
      {cudaDevAttrMaxRegistersPerMultiprocessor, size(p.regsPerMultiprocessor)},
      {cudaDevAttrClockRate, size(p.clockRate)},
      {cudaDevAttrMultiProcessorCount, size(p.multiProcessorCount)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, size(p.maxThreadsPerMultiProcessor)},
      {cudaDevAttrMaxBlocksPerMultiprocessor, size(p.maxBlocksPerMultiProcessor)},
      {cudaDevAttrComputeCapabilityMajor, size(p.major)},
      {cudaDevAttrComputeCapabilityMinor, size(p.minor)},
      {cudaDevAttrComputeMode, size(p.computeMode)},
      {cudaDevAttrCooperativeLaunch, size(p.cooperativeLaunch)},
      {cudaDevAttrClusterLaunch, size(p.clusterLaunch)},
      {cudaDevAttrComputePreemptionSupported, size(p.computePreemptionSupported)},
      {cudaDevAttrStreamPrioritiesSupported, size(p.streamPrioritiesSupported)},
      {cudaDevAttrAsyncEngineCount, size(p.asyncEngineCount)},
      {cudaDevAttrGpuOverlap, size(p.deviceOverlap)},
      {cudaDevAttrConcurrentKernels, size(p.concurrentKernels)},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, size(p.singleToDoublePrecisionPerfRatio)},
      {cudaDevAttrMaxSharedMemoryPerBlock, size(p.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, size(p.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, size(p.sharedMemPerMultiprocessor)},
      {cudaDevAttrReservedSharedMemoryPerBlock, size(p.reservedSharedMemPerBlock)},
      {cudaDevAttrTotalConstantMemory, size(p.totalConstMem)},
      {cudaDevAttrMaxPitch, size(p.memPitch)},
      {cudaDevAttrL2CacheSize, size(p.l2CacheSize)},
      {cudaDevAttrMemoryClockRate, size(p.memoryClockRate)},
      {cudaDevAttrGlobalMemoryBusWidth, size(p.memoryBusWidth)},
      {cudaDevAttrEccEnabled, size(p.ECCEnabled)},
      {cudaDevAttrUnifiedAddressing, size(p.unifiedAddressing)},
      {cudaDevAttrManagedMemory, size(p.managedMemory)},
      {cudaDevAttrConcurrentManagedAccess, size(p.concurrentManagedAccess)},
      {cudaDevAttrCanMapHostMemory, size(p.canMapHostMemory)},
      {cudaDevAttrHostRegisterSupported, size(p.hostRegisterSupported)},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, size(p.canUseHostPointerForRegisteredMem)},
      {cudaDevAttrMemoryPoolsSupported, size(p.memoryPoolsSupported)},
      {cudaDevAttrGlobalL1CacheSupported, size(p.globalL1CacheSupported)},
      {cudaDevAttrLocalL1CacheSupported, size(p.localL1CacheSupported)},
      {cudaDevAttrTextureAlignment, size(p.textureAlignment)},
      {cudaDevAttrTexturePitchAlignment, size(p.texturePitchAlignment)},
      {cudaDevAttrSurfaceAlignment, size(p.surfaceAlignment)},
      {cudaDevAttrMaxTexture1DWidth, size(p.maxTexture1D)},
      {cudaDevAttrMaxTexture2DWidth, size(p.maxTexture2D[0])},
      {cudaDevAttrMaxTexture2DHeight, size(p.maxTexture2D[1])},
      {cudaDevAttrMaxTexture3DWidth, size(p.maxTexture3D[0])},
      {cudaDevAttrMaxTexture3DHeight, size(p.maxTexture3D[1])},
      {cudaDevAttrMaxTexture3DDepth, size(p.maxTexture3D[2])},
      {cudaDevAttrMaxTexture1DLayeredWidth, size(p.maxTexture1DLayered[0])},
      {cudaDevAttrMaxTexture1DLayeredLayers, size(p.maxTexture1DLayered[1])},
      {cudaDevAttrMaxTexture2DLayeredWidth, size(p.maxTexture2DLayered[0])},
      {cudaDevAttrMaxTexture2DLayeredHeight, size(p.maxTexture2DLayered[1])},
      {cudaDevAttrMaxTexture2DLayeredLayers, size(p.maxTexture2DLayered[2])},
  };
}

// Known numbers that are not in the table are abilities the device does not have.
constexpr int kLastAttribute = 150;

cudaError_t get_attribute(int* value, cudaDeviceAttr name) {
  const int number = name;  // programs may pass any
  if (!value || number < cudaDevAttrMaxThreadsPerBlock || number > kLastAttribute)
    return cudaErrorInvalidValue;
  *value = 0;
  for (const Attribute& attribute : attributes(properties())) {
    if (attribute.name == name) *value = static_cast<int>(attribute.value);
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int device) {
  return api_call(CallKind::kImmediate, [&] {
    if (!result) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *result = properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call(CallKind::kImmediate,
                  [&] { return device == 0 ? get_attribute(value, attribute) : cudaErrorInvalidDevice; });
}

}  // extern "C"
