// cudaMemcpy, cudaMemset and their kin on plain memory and variables of device code. Copies with arrays are
// in array_copy_api.cc.
#include <optional>

#include "cuset_emulator/memory_api.h"
#include "runtime/api/copy.h"
#include "runtime/api/registry.h"
#include "runtime/api/stream_work.h"

namespace cuset_emulator {
namespace {

Surface plain(const void* memory, size_t pitch, size_t height = 1) {
  return {reinterpret_cast<uint64_t>(memory), pitch, pitch * height};
}

// A blocking call waits for the default stream, not for streams that were made not to wait for it.
template <class Body>
cudaError_t synchronize(Body body) {
  return api_wait([] { finish_stream(nullptr); }, body);
}

cudaError_t enqueue_copy(const Surface& to, const Surface& from, const Box& box, cudaMemcpyKind kind,
                         cudaStream_t stream) {
  const auto work = [=] { return copy_box(to, from, box, kind); };
  const bool pageable = is_pageable(reinterpret_cast<const void*>(to.address)) ||
                        is_pageable(reinterpret_cast<const void*>(from.address));
  if (pageable) return enqueue(stream, work);
  return enqueue(stream, [=] { return check_copy(to, from, box, kind); }, work);
}

cudaError_t enqueue_fill(const Surface& to, const Box& box, int value, cudaStream_t stream) {
  return enqueue(
      stream, [=] { return check_fill(to, box); }, [=] { return fill_box(to, box, value); },
      {cudaGraphNodeTypeMemset});
}

// The bytes of a variable from an offset on; none if they are not all there.
struct SymbolRange {
  const void* symbol;
  size_t bytes, offset;
};

cudaError_t find_symbol(const SymbolRange& range, void** address) {
  std::optional<VariableMemory> variable = find_variable(range.symbol);
  if (!variable) return cudaErrorInvalidSymbol;
  if (range.offset > variable->bytes || range.bytes > variable->bytes - range.offset)
    return cudaErrorInvalidValue;
  *address = reinterpret_cast<void*>(variable->address + range.offset);
  return cudaSuccess;
}

cudaError_t copy_to_symbol(const SymbolRange& range, const void* from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  void* address = nullptr;
  if (cudaError_t error = find_symbol(range, &address); error != cudaSuccess) return error;
  return copy_bytes(address, from, range.bytes, kind);
}

cudaError_t copy_from_symbol(void* to, const SymbolRange& range, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  void* address = nullptr;
  if (cudaError_t error = find_symbol(range, &address); error != cudaSuccess) return error;
  return copy_bytes(to, address, range.bytes, kind);
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return synchronize([&] { return copy_bytes(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return enqueue_copy(plain(to, bytes), plain(from, bytes), {bytes}, kind, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return remember(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return synchronize(
      [&] { return copy_box(plain(to, to_pitch), plain(from, from_pitch), {width, height}, kind); });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue_copy(plain(to, to_pitch), plain(from, from_pitch), {width, height}, kind, stream);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return enqueue_fill(plain(to, bytes), {bytes}, value, nullptr);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return enqueue_fill(plain(to, bytes), {bytes}, value, stream);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return enqueue_fill(plain(to, pitch), {width, height}, value, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return enqueue_fill(plain(to, pitch), {width, height}, value, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return enqueue_fill(plain(to.ptr, to.pitch, to.ysize), {extent.width, extent.height, extent.depth}, value,
                      nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return enqueue_fill(plain(to.ptr, to.pitch, to.ysize), {extent.width, extent.height, extent.depth}, value,
                      stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return synchronize([&] { return copy_to_symbol({symbol, bytes, offset}, from, kind); });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, [=] { return copy_to_symbol({symbol, bytes, offset}, from, kind); });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return synchronize([&] { return copy_from_symbol(to, {symbol, bytes, offset}, kind); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, [=] { return copy_from_symbol(to, {symbol, bytes, offset}, kind); });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return api_call(CallKind::kImmediate,
                  [&] { return address ? find_symbol({symbol, 0, 0}, address) : cudaErrorInvalidValue; });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api_call(CallKind::kImmediate, [&] {
    if (!bytes) return cudaErrorInvalidValue;
    std::optional<VariableMemory> variable = find_variable(symbol);
    if (!variable) return cudaErrorInvalidSymbol;
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
