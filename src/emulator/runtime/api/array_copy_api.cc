// Copies to and from arrays, and cudaMemcpy3D, which takes both arrays and plain memory.
#include <algorithm>
#include <optional>

#include "cuset_emulator/memory_api.h"
#include "cuset_emulator/texture_api.h"
#include "runtime/api/arrays.h"
#include "runtime/api/copy.h"
#include "runtime/api/copy_3d.h"
#include "runtime/api/stream_work.h"

namespace cuset_emulator {
namespace {

Surface plain(const void* memory, size_t pitch) { return {reinterpret_cast<uint64_t>(memory), pitch, 0}; }

cudaError_t copy_to_array(cudaArray_t handle, const ArrayPlace& place, const Surface& from, const Box& box,
                          cudaMemcpyKind kind) {
  const cudaArray* array = find_array(handle);
  if (!array) return cudaErrorInvalidResourceHandle;
  std::optional<Surface> to = part_of(*array, place, box);
  return to ? copy_box(*to, from, box, kind) : cudaErrorInvalidValue;
}

cudaError_t copy_from_array(const Surface& to, cudaArray_const_t handle, const ArrayPlace& place,
                            const Box& box, cudaMemcpyKind kind) {
  const cudaArray* array = find_array(handle);
  if (!array) return cudaErrorInvalidResourceHandle;
  std::optional<Surface> from = part_of(*array, place, box);
  return from ? copy_box(to, *from, box, kind) : cudaErrorInvalidValue;
}

// Bytes in a row of their own on one side that run through the rows of an array on the other: piece by piece.
template <class Copy>
cudaError_t each_piece(const cudaArray& array, ArrayPlace place, uint64_t bytes, Copy copy) {
  if (place.x > array.row_bytes()) return cudaErrorInvalidValue;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t piece = std::min(bytes - done, array.row_bytes() - place.x);
    if (cudaError_t error = copy(place, done, piece); error != cudaSuccess) return error;
    done += piece;
    place = {0, place.y + 1, place.z};
  }
  return cudaSuccess;
}

// One side of cudaMemcpy3D: an array or plain memory; the position counts texels or bytes.
struct Side {
  cudaArray_const_t array;
  const cudaPitchedPtr& memory;
  const cudaPos& position;
};

std::optional<Surface> surface_of(const Side& side, const Box& box) {
  if (side.array) {
    const cudaArray* array = find_array(side.array);
    if (!array) return std::nullopt;
    return part_of(*array, {side.position.x * array->texel_bytes, side.position.y, side.position.z}, box);
  }
  uint64_t slice = side.memory.pitch * side.memory.ysize;
  uint64_t start = reinterpret_cast<uint64_t>(side.memory.ptr) + side.position.z * slice +
                   side.position.y * side.memory.pitch + side.position.x;
  return Surface{side.memory.ptr ? start : 0, side.memory.pitch, slice};
}

}  // namespace

cudaError_t copy_3d(const cudaMemcpy3DParms& copy) {
  if ((copy.srcArray && copy.srcPtr.ptr) || (copy.dstArray && copy.dstPtr.ptr)) return cudaErrorInvalidValue;
  Box box{copy.extent.width, copy.extent.height, copy.extent.depth};
  cudaArray_const_t counts_texels = copy.srcArray ? copy.srcArray : copy.dstArray;
  if (counts_texels) {
    const cudaArray* array = find_array(counts_texels);
    if (!array) return cudaErrorInvalidResourceHandle;
    box.width *= array->texel_bytes;
  }
  std::optional<Surface> from = surface_of({copy.srcArray, copy.srcPtr, copy.srcPos}, box);
  std::optional<Surface> to = surface_of({copy.dstArray, copy.dstPtr, copy.dstPos}, box);
  return from && to ? copy_box(*to, *from, box, copy.kind) : cudaErrorInvalidValue;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return api_call(CallKind::kSynchronizes, [&] {
    const cudaArray* array = find_array(to);
    if (!array || !from) return array ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    return each_piece(*array, {x, y}, bytes, [&](const ArrayPlace& place, uint64_t done, uint64_t piece) {
      return copy_to_array(to, place, plain(static_cast<const char*>(from) + done, piece), {piece}, kind);
    });
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return api_call(CallKind::kSynchronizes, [&] {
    const cudaArray* array = find_array(from);
    if (!array || !to) return array ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    return each_piece(*array, {x, y}, bytes, [&](const ArrayPlace& place, uint64_t done, uint64_t piece) {
      return copy_from_array(plain(static_cast<char*>(to) + done, piece), from, place, {piece}, kind);
    });
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call(CallKind::kSynchronizes,
                  [&] { return copy_to_array(to, {x, y}, plain(from, pitch), {width, height}, kind); });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream,
                 [&] { return copy_to_array(to, {x, y}, plain(from, pitch), {width, height}, kind); });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call(CallKind::kSynchronizes,
                  [&] { return copy_from_array(plain(to, pitch), from, {x, y}, {width, height}, kind); });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enqueue(stream,
                 [&] { return copy_from_array(plain(to, pitch), from, {x, y}, {width, height}, kind); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  return api_call(CallKind::kSynchronizes, [&] { return copy ? copy_3d(*copy) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  if (!copy) return remember(cudaErrorInvalidValue);
  return enqueue(stream, [work = *copy] { return copy_3d(work); });
}

}  // extern "C"
