// cudaDeviceProp and the attributes of the device, which say the same in two ways: the values are those
// documented for compute capability 8.0, the name and the size of memory are the emulator's own.
#include <cstdio>
#include <optional>

#include "cuset_emulator/host_api.h"
#include "runtime/device_limits.h"
#include "runtime/api_call.h"
#include "runtime/memory.h"

namespace cuset_emulator {
namespace {

constexpr int kClockKilohertz = 1'410'000;
constexpr int kMemoryClockKilohertz = 1'215'000;

void set_execution(cudaDeviceProp& to) {
  to.major = kComputeMajor;
  to.minor = kComputeMinor;
  to.multiProcessorCount = kMultiprocessors;
  to.warpSize = kWarpSize;
  to.maxThreadsPerBlock = kThreadsPerBlock;
  for (int i = 0; i < 3; ++i) to.maxThreadsDim[i] = static_cast<int>(kBlockLimits[i]);
  for (int i = 0; i < 3; ++i) to.maxGridSize[i] = static_cast<int>(kGridLimits[i]);
  to.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  to.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  to.regsPerBlock = kRegistersPerBlock;
  to.regsPerMultiprocessor = kRegistersPerBlock;
  to.clockRate = kClockKilohertz;
  to.computeMode = cudaComputeModeDefault;
  to.cooperativeLaunch = 1;
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
  to.sharedMemPerBlockOptin = kSharedPerBlockOnRequest;
  to.sharedMemPerMultiprocessor = kSharedPerMultiprocessor;
  to.reservedSharedMemPerBlock = kReservedSharedPerBlock;
  to.memPitch = 2147483647;
  to.l2CacheSize = 40 << 20;
  to.memoryClockRate = kMemoryClockKilohertz;
  to.memoryBusWidth = 5120;
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

std::optional<long long> execution_attribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrClockRate:
      return p.clockRate;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrComputeMode:
      return p.computeMode;
    case cudaDevAttrCooperativeLaunch:
      return p.cooperativeLaunch;
    case cudaDevAttrComputePreemptionSupported:
      return p.computePreemptionSupported;
    case cudaDevAttrStreamPrioritiesSupported:
      return p.streamPrioritiesSupported;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrGpuOverlap:
      return p.deviceOverlap;
    case cudaDevAttrConcurrentKernels:
      return p.concurrentKernels;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return p.singleToDoublePrecisionPerfRatio;
    default:
      return std::nullopt;
  }
}

std::optional<long long> memory_attribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return p.sharedMemPerBlock;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return p.sharedMemPerBlockOptin;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return p.sharedMemPerMultiprocessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return p.reservedSharedMemPerBlock;
    case cudaDevAttrTotalConstantMemory:
      return p.totalConstMem;
    case cudaDevAttrMaxPitch:
      return p.memPitch;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMemoryClockRate:
      return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrEccEnabled:
      return p.ECCEnabled;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrMemoryPoolsSupported:
      return p.memoryPoolsSupported;
    case cudaDevAttrGlobalL1CacheSupported:
      return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return p.localL1CacheSupported;
    default:
      return std::nullopt;
  }
}

std::optional<long long> texture_attribute(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrTextureAlignment:
      return p.textureAlignment;
    case cudaDevAttrTexturePitchAlignment:
      return p.texturePitchAlignment;
    case cudaDevAttrSurfaceAlignment:
      return p.surfaceAlignment;
    case cudaDevAttrMaxTexture1DWidth:
      return p.maxTexture1D;
    case cudaDevAttrMaxTexture2DWidth:
      return p.maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight:
      return p.maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth:
      return p.maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight:
      return p.maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth:
      return p.maxTexture3D[2];
    case cudaDevAttrMaxTexture1DLayeredWidth:
      return p.maxTexture1DLayered[0];
    case cudaDevAttrMaxTexture1DLayeredLayers:
      return p.maxTexture1DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredWidth:
      return p.maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredHeight:
      return p.maxTexture2DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredLayers:
      return p.maxTexture2DLayered[2];
    default:
      return std::nullopt;
  }
}

// Known attributes that are neither are abilities the device does not have.
constexpr int kLastAttribute = 150;

cudaError_t get_attribute(int* value, cudaDeviceAttr attribute) {
  if (!value || attribute < cudaDevAttrMaxThreadsPerBlock || attribute > kLastAttribute)
    return cudaErrorInvalidValue;
  const cudaDeviceProp all = properties();
  std::optional<long long> found = execution_attribute(all, attribute);
  if (!found) found = memory_attribute(all, attribute);
  if (!found) found = texture_attribute(all, attribute);
  *value = static_cast<int>(found.value_or(0));
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
