#include "runtime/api/memory_pools.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "cuset_emulator/memory_api.h"
#include "runtime/api/api_call.h"
#include "runtime/launch/recorder.h"

struct CUmemPoolHandle_st {
  uint64_t release_threshold = 0;
  int reuse[4] = {0, 1, 1, 1};  // by cudaMemPoolAttr
  uint64_t largest = 0;         // bytes that it may give; 0: as many as there are
  uint64_t used = 0;
  uint64_t most_used = 0;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtReadWrite;  // of the one device
};

namespace cuset_emulator {
namespace {

struct Given {
  cudaMemPool_t pool;
  uint64_t bytes;
};

struct Pools {
  std::mutex mutex;
  CUmemPoolHandle_st standard;
  std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> living;  // beside the standard one
  cudaMemPool_t current = nullptr;                                      // null: the standard one
  std::map<uint64_t, Given> given;                                      // by address
};

Pools& pools() {
  static Pools& instance = *new Pools;
  return instance;
}

// Null where there is none. The pools are locked.
cudaMemPool_t find_pool(cudaMemPool_t pool) {
  if (pool == nullptr) pool = pools().current;
  if (pool == nullptr || pool == &pools().standard) return &pools().standard;
  return pools().living.count(pool) > 0 ? pool : nullptr;
}

bool is_reuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t create_pool(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
    return cudaErrorInvalidValue;
  if (properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
    return cudaErrorInvalidDevice;
  if (properties->handleTypes != cudaMemHandleTypeNone)
    end_as_unsupported("memory pools shared with other processes");
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->largest = properties->maxSize;
  const std::lock_guard lock(pools().mutex);
  *pool = made.get();
  pools().living.emplace(*pool, std::move(made));
  return cudaSuccess;
}

// Its allocations stay until they are freed.
cudaError_t destroy_pool(cudaMemPool_t pool) {
  const std::lock_guard lock(pools().mutex);
  if (pools().living.erase(pool) == 0) return cudaErrorInvalidValue;
  if (pools().current == pool) pools().current = nullptr;
  return cudaSuccess;
}

cudaError_t set_attribute(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, const void* value) {
  if (is_reuse(attribute)) {
    pool.reuse[attribute] = *static_cast<const int*>(value);
    return cudaSuccess;
  }
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool.release_threshold = *static_cast<const uint64_t*>(value);
    return cudaSuccess;
  }
  const bool resets = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (!resets || *static_cast<const uint64_t*>(value) != 0) return cudaErrorInvalidValue;
  pool.most_used = pool.used;
  return cudaSuccess;
}

cudaError_t get_attribute(const CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, void* value) {
  auto& number = *static_cast<uint64_t*>(value);
  if (is_reuse(attribute)) {
    *static_cast<int*>(value) = pool.reuse[attribute];
    return cudaSuccess;
  }
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      number = pool.release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      number = pool.used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      number = pool.most_used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t set_access(CUmemPoolHandle_st& pool, const cudaMemAccessDesc* descriptions, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (descriptions[i].location.type != cudaMemLocationTypeDevice || descriptions[i].location.id != 0)
      return cudaErrorInvalidDevice;
    if (descriptions[i].flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidValue;  // its own device
    pool.access = descriptions[i].flags;
  }
  return cudaSuccess;
}

// Runs body with the pool, if there is one and a value.
template <class Body>
cudaError_t with_pool(cudaMemPool_t pool, const void* value, Body body) {
  return api_call(CallKind::kImmediate, [&] {
    const std::lock_guard lock(pools().mutex);
    const cudaMemPool_t found = pool ? find_pool(pool) : nullptr;
    return found && value ? body(*found) : cudaErrorInvalidValue;
  });
}

cudaError_t answer_pool(cudaMemPool_t* pool, int device, bool current) {
  return api_call(CallKind::kImmediate, [&] {
    if (!pool) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const std::lock_guard lock(pools().mutex);
    *pool = current ? find_pool(nullptr) : &pools().standard;
    return cudaSuccess;
  });
}

}  // namespace

bool is_pool(cudaMemPool_t pool) {
  const std::lock_guard lock(pools().mutex);
  return find_pool(pool) != nullptr;
}

bool has_room(cudaMemPool_t handle, uint64_t bytes) {
  const std::lock_guard lock(pools().mutex);
  const cudaMemPool_t pool = find_pool(handle);
  return pool->largest == 0 || (bytes <= pool->largest && pool->used <= pool->largest - bytes);
}

void note_pool_allocation(cudaMemPool_t handle, uint64_t address, uint64_t bytes) {
  const std::lock_guard lock(pools().mutex);
  const cudaMemPool_t pool = find_pool(handle);
  pools().given[address] = {pool, bytes};
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
}

void note_pool_free(uint64_t address) {
  const std::lock_guard lock(pools().mutex);
  const auto found = pools().given.find(address);
  if (found == pools().given.end()) return;
  if (const cudaMemPool_t pool = find_pool(found->second.pool)) pool->used -= found->second.bytes;
  pools().given.erase(found);
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return answer_pool(pool, device, false);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return answer_pool(pool, device, true); }

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return remember(cudaErrorInvalidDevice);
  return with_pool(pool, pool, [&](CUmemPoolHandle_st&) {
    pools().current = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_call(CallKind::kImmediate, [&] { return create_pool(pool, properties); });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api_call(CallKind::kImmediate, [&] { return destroy_pool(pool); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, value,
                   [&](CUmemPoolHandle_st& found) { return set_attribute(found, attribute, value); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, value,
                   [&](CUmemPoolHandle_st& found) { return get_attribute(found, attribute, value); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, size_t count) {
  return with_pool(pool, descriptions,
                   [&](CUmemPoolHandle_st& found) { return set_access(found, descriptions, count); });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return with_pool(pool, flags, [&](CUmemPoolHandle_st& found) {
    if (!location || location->type != cudaMemLocationTypeDevice || location->id != 0)
      return cudaErrorInvalidValue;
    *flags = found.access;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return with_pool(pool, pool, [](CUmemPoolHandle_st&) { return cudaSuccess; });
}

}  // extern "C"
