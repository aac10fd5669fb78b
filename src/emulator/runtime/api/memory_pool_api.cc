// The pool of stream-ordered allocations: there is one, cudaMallocAsync takes from device memory directly,
// and nothing freed is held back.
#include <atomic>
#include <cstdint>

#include "cuset_emulator/memory_api.h"
#include "runtime/api/api_call.h"
#include "runtime/memory/memory.h"

struct CUmemPoolHandle_st {
  std::atomic<uint64_t> release_threshold{0};
  std::atomic<int> reuse[4]{0, 1, 1, 1};  // by cudaMemPoolAttr
};

namespace cuset_emulator {
namespace {

CUmemPoolHandle_st the_pool;

bool is_reuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t get_pool(cudaMemPool_t* pool, int device) {
  if (!pool) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *pool = &the_pool;
  return cudaSuccess;
}

cudaError_t set_attribute(cudaMemPoolAttr attribute, const void* value) {
  if (is_reuse(attribute)) {
    the_pool.reuse[attribute] = *static_cast<const int*>(value);
    return cudaSuccess;
  }
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    the_pool.release_threshold = *static_cast<const uint64_t*>(value);
    return cudaSuccess;
  }
  bool resets = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  return resets && *static_cast<const uint64_t*>(value) == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t get_attribute(cudaMemPoolAttr attribute, void* value) {
  if (is_reuse(attribute)) {
    *static_cast<int*>(value) = the_pool.reuse[attribute];
    return cudaSuccess;
  }
  if (attribute < cudaMemPoolAttrReleaseThreshold || attribute > cudaMemPoolAttrUsedMemHigh) {
    return cudaErrorInvalidValue;
  }
  *static_cast<uint64_t*>(value) = attribute == cudaMemPoolAttrReleaseThreshold
                                       ? the_pool.release_threshold.load()
                                       : total_device_memory() - free_device_memory();
  return cudaSuccess;
}

// Runs body if the handle is the pool and there is a value.
template <class Body>
cudaError_t with_pool(cudaMemPool_t pool, const void* value, Body body) {
  return api_call(CallKind::kImmediate,
                  [&] { return pool == &the_pool && value ? body() : cudaErrorInvalidValue; });
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api_call(CallKind::kImmediate, [&] { return get_pool(pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, value, [&] { return set_attribute(attribute, value); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, value, [&] { return get_attribute(attribute, value); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return with_pool(pool, pool, [] { return cudaSuccess; });
}

}  // extern "C"
