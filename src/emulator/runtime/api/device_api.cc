// The device as a program sees it: one, of compute capability 8.0, with its limits and settings.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/device_heap.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/registry.h"
#include "runtime/api/stream_waits.h"
#include "runtime/launch/device_output.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

constexpr int kVersion = CUDART_VERSION;
constexpr char kBusId[] = "0000:00:00.0";

std::atomic<unsigned> device_flags{cudaDeviceScheduleAuto};
std::atomic<size_t> stack_limit{1024};
std::atomic<int> cache_config{cudaFuncCachePreferNone};
std::atomic<int> bank_size{cudaSharedMemBankSizeFourByte};

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

template <class T, class V>
cudaError_t put(T* result, V value) {
  if (!result) return cudaErrorInvalidValue;
  *result = static_cast<T>(value);
  return cudaSuccess;
}

cudaError_t get_limit(size_t* value, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return put(value, stack_limit.load());
    case cudaLimitPrintfFifoSize:
      return put(value, device_output_limit());
    case cudaLimitMallocHeapSize:
      return put(value, device_heap_limit());
    case cudaLimitDevRuntimeSyncDepth:
      return put(value, 2);
    case cudaLimitDevRuntimePendingLaunchCount:
      return put(value, 2048);
    case cudaLimitMaxL2FetchGranularity:
      return put(value, 64);
    case cudaLimitPersistingL2CacheSize:
      return put(value, 0);
  }
  return cudaErrorUnsupportedLimit;
}

cudaError_t set_limit(cudaLimit limit, size_t value) {
  switch (limit) {
    case cudaLimitStackSize:
      stack_limit = value;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      set_device_output_limit(value);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      if (value > total_device_memory()) return cudaErrorMemoryAllocation;
      set_device_heap_limit(value);
      return cudaSuccess;
    case cudaLimitDevRuntimeSyncDepth:
    case cudaLimitDevRuntimePendingLaunchCount:
    case cudaLimitMaxL2FetchGranularity:
    case cudaLimitPersistingL2CacheSize:
      return cudaSuccess;  // of hardware or of launches by kernels: nothing to set here
  }
  return cudaErrorUnsupportedLimit;
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return immediate([&] { return put(count, 1); });
}

cudaError_t cudaGetDevice(int* device) {
  return immediate([&] { return put(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return immediate([&] { return check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return immediate([&] {
    if (!devices || count < 0) return cudaErrorInvalidValue;
    return std::all_of(devices, devices + count, [](int device) { return device == 0; })
               ? cudaSuccess
               : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return immediate([&] { return properties ? put(device, 0) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return immediate([&] {
    if (!id || length < static_cast<int>(sizeof(kBusId))) return cudaErrorInvalidValue;
    std::memcpy(id, kBusId, sizeof(kBusId));
    return check_device(device);
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return immediate([&] { return id && !std::strcmp(id, kBusId) ? put(device, 0) : cudaErrorInvalidValue; });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return immediate([&] {
    if (flags > (cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax))
      return cudaErrorInvalidValue;
    device_flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return immediate([&] { return put(flags, device_flags | cudaDeviceMapHost); });
}

cudaError_t cudaDeviceSynchronize() {
  note_device_synchronized();
  return api_call(CallKind::kSynchronizes, [] { return cudaSuccess; });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

// All that lives on the device is gone, faults too.
cudaError_t cudaDeviceReset() {
  std::lock_guard lock(device_mutex());
  synchronize_device();
  free_all_device_memory();
  reset_variables();
  clear_fault();
  return cudaSuccess;
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return immediate([&] { return get_limit(value, limit); });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  finish_pending_work();
  return immediate([&] { return set_limit(limit, value); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return immediate([&] { return put(config, cache_config.load()); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return immediate([&] {
    cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return immediate([&] { return put(config, bank_size.load()); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return immediate(
      [] { return cudaSuccess; });  // banks of 4 bytes, as on every device since compute capability 5
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return immediate([&] {
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    return put(can_access, 0);
  });
}

// There is no pair of devices to ask about.
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return immediate([] { return cudaErrorInvalidDevice; });
}

// No cache here is set aside for lines that persist.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return immediate([] { return cudaSuccess; });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return immediate([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return immediate([&] { return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return immediate([&] { return put(version, kVersion); });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return immediate([&] { return put(version, kVersion); });
}

cudaError_t cudaProfilerStart() {
  return immediate([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return immediate([] { return cudaSuccess; });
}

}  // extern "C"
