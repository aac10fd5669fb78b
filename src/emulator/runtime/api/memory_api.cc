// cudaMalloc, cudaFree and their kin: device, managed, pinned and registered memory.
#include <optional>

#include "cuset_emulator/memory_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/graph_memory.h"
#include "runtime/api/memory_pools.h"
#include "runtime/api/streams.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

constexpr size_t kPitchAlignment = 512;

cudaError_t allocate(void** memory, size_t bytes, MemoryKind kind) {
  if (!memory) return cudaErrorInvalidValue;
  *memory = nullptr;
  if (bytes == 0) return kind == MemoryKind::kManaged ? cudaErrorInvalidValue : cudaSuccess;
  uint64_t address = allocate_memory(bytes, kind);
  if (address == 0) return cudaErrorMemoryAllocation;
  *memory = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t allocate_pitched(void** memory, size_t* pitch, size_t width, size_t rows) {
  if (!memory || !pitch) return cudaErrorInvalidValue;
  *memory = nullptr;
  *pitch = 0;
  if (width > SIZE_MAX - kPitchAlignment) return cudaErrorMemoryAllocation;
  size_t row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  size_t bytes = 0;
  if (__builtin_mul_overflow(row, rows, &bytes)) return cudaErrorMemoryAllocation;
  *pitch = row;
  return allocate(memory, bytes, MemoryKind::kDevice);
}

cudaError_t free_device(void* memory) {
  if (!memory) return cudaSuccess;
  uint64_t address = reinterpret_cast<uint64_t>(memory);
  if (is_graph_memory(address)) return end_graph_memory_use(address) ? cudaSuccess : cudaErrorInvalidValue;
  note_pool_free(address);
  bool freed = free_memory(address, MemoryKind::kDevice) || free_memory(address, MemoryKind::kManaged);
  return freed ? cudaSuccess : cudaErrorInvalidValue;
}

// An allocation of a stream that captures is its graph's.
cudaError_t capture_allocation(void** memory, size_t bytes, cudaStream_t stream) {
  const std::shared_ptr<GraphMemory> given = GraphMemory::allocate(bytes);
  if (!given) return cudaErrorMemoryAllocation;
  *memory = reinterpret_cast<void*>(given->address());
  const Work work = [given] {
    given->begin_use();
    return cudaSuccess;
  };
  capture(stream, {cudaGraphNodeTypeMemAlloc, work});
  return cudaSuccess;
}

cudaError_t capture_free(void* memory, cudaStream_t stream) {
  capture(stream, {cudaGraphNodeTypeMemFree, [memory] { return free_device(memory); }});
  return cudaSuccess;
}

// From the default pool where `pool` is null.
cudaError_t allocate_in_stream(void** memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (!memory || !is_pool(pool)) return cudaErrorInvalidValue;
  if (is_capturing(stream) && bytes > 0) return capture_allocation(memory, bytes, stream);
  if (!has_room(pool, bytes)) return cudaErrorMemoryAllocation;
  const cudaError_t error = allocate(memory, bytes, MemoryKind::kDevice);
  if (error == cudaSuccess && *memory) note_pool_allocation(pool, reinterpret_cast<uint64_t>(*memory), bytes);
  return error;
}

cudaMemoryType type_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
    case MemoryKind::kDeviceHeap:
    case MemoryKind::kVariable:
      return cudaMemoryTypeDevice;
    case MemoryKind::kManaged:
      return cudaMemoryTypeManaged;
    case MemoryKind::kPinned:
    case MemoryKind::kRegistered:
      return cudaMemoryTypeHost;
  }
  return cudaMemoryTypeUnregistered;
}

cudaError_t describe_pointer(cudaPointerAttributes& attributes, const void* memory) {
  void* plain = const_cast<void*>(memory);
  std::optional<Allocation> found = find_allocation(reinterpret_cast<uint64_t>(memory));
  if (!found || found->freed) {
    attributes = {cudaMemoryTypeUnregistered, -2, nullptr, plain};
    return cudaSuccess;
  }
  cudaMemoryType type = type_of(found->kind);
  attributes = {type, 0, plain, type == cudaMemoryTypeDevice ? nullptr : plain};
  return cudaSuccess;
}

bool is_managed(const void* memory) {
  std::optional<Allocation> found = find_allocation(reinterpret_cast<uint64_t>(memory));
  return found && !found->freed &&
         (found->kind == MemoryKind::kManaged || found->kind == MemoryKind::kVariable);
}

// Managed memory has one place here: hints about it are checked and need no more.
cudaError_t accept_hint(const void* memory) {
  return api_call(CallKind::kImmediate,
                  [&] { return is_managed(memory) ? cudaSuccess : cudaErrorInvalidValue; });
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return api_call(CallKind::kImmediate, [&] { return allocate(memory, bytes, MemoryKind::kDevice); });
}

cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(memory, bytes, MemoryKind::kManaged);
  });
}

cudaError_t cudaFree(void* memory) {
  return api_call(CallKind::kSynchronizes, [&] { return free_device(memory); });
}

cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  return api_call(CallKind::kImmediate, [&] { return allocate_in_stream(memory, bytes, nullptr, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return api_call(CallKind::kImmediate, [&] {
    return pool ? allocate_in_stream(memory, bytes, pool, stream) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  return api_call(CallKind::kEnqueues, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_capturing(stream)) return capture_free(memory, stream);
    finish_stream(stream);
    return free_device(memory);
  });
}

cudaError_t cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  return api_call(CallKind::kImmediate, [&] { return allocate_pitched(memory, pitch, width, height); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  return api_call(CallKind::kImmediate, [&] {
    size_t rows = 0;
    if (!memory) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    return allocate_pitched(&memory->ptr, &memory->pitch, extent.width, rows);
  });
}

cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  return api_call(CallKind::kImmediate, [&] { return allocate(memory, bytes, MemoryKind::kPinned); });
}

cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] {
    if (flags > 7) return cudaErrorInvalidValue;
    return allocate(memory, bytes, MemoryKind::kPinned);
  });
}

cudaError_t cudaFreeHost(void* memory) {
  return api_call(CallKind::kSynchronizes, [&] {
    if (!memory) return cudaSuccess;
    bool freed = free_memory(reinterpret_cast<uint64_t>(memory), MemoryKind::kPinned);
    return freed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] {
    uint64_t address = reinterpret_cast<uint64_t>(memory);
    if (!memory || bytes == 0 || flags > 15 || address + bytes < address) return cudaErrorInvalidValue;
    if (find_allocation(address)) return cudaErrorHostMemoryAlreadyRegistered;
    bool added = adopt_ranges({{address, bytes, MemoryKind::kRegistered, 0, false}});
    return added ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* memory) {
  return api_call(CallKind::kImmediate, [&] {
    if (!memory) return cudaErrorInvalidValue;
    finish_pending_work();
    bool removed = release_range(reinterpret_cast<uint64_t>(memory), MemoryKind::kRegistered);
    return removed ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] {
    if (!device || flags != 0) return cudaErrorInvalidValue;
    std::optional<Allocation> found = find_allocation(reinterpret_cast<uint64_t>(host));
    if (!found || found->freed || type_of(found->kind) != cudaMemoryTypeHost) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api_call(CallKind::kImmediate, [&] {
    std::optional<Allocation> found = find_allocation(reinterpret_cast<uint64_t>(host));
    if (!flags || !found || found->freed || type_of(found->kind) != cudaMemoryTypeHost)
      return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  return api_call(CallKind::kImmediate,
                  [&] { return attributes ? describe_pointer(*attributes, memory) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api_call(CallKind::kImmediate, [&] {
    if (!free || !total) return cudaErrorInvalidValue;
    *free = free_device_memory();
    *total = total_device_memory();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* memory, size_t, int, cudaStream_t) {
  return accept_hint(memory);
}
cudaError_t cudaMemAdvise(const void* memory, size_t, cudaMemoryAdvise, int) { return accept_hint(memory); }

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned) {
  return api_call(CallKind::kImmediate,
                  [&] { return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

}  // extern "C"
