#include "runtime/api/arrays.h"

#include <map>
#include <memory>
#include <mutex>

#include "cuset_emulator/texture_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/registry.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kRowAlignment = 32;
constexpr uint64_t kLargestSide = 1 << 27;  // more than any device allows

struct Arrays {
  std::mutex mutex;
  std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> living;
};

Arrays& arrays() {
  static Arrays& instance = *new Arrays;
  return instance;
}

// Six square faces, of each layer.
bool is_cubemap(const cudaExtent& extent, unsigned flags) {
  const bool faces = flags & cudaArrayLayered ? extent.depth > 0 && extent.depth % 6 == 0 : extent.depth == 6;
  return faces && extent.width == extent.height;
}

cudaError_t create(cudaArray_t* handle, const cudaChannelFormatDesc* format, cudaExtent extent,
                   unsigned flags) {
  if (has_gpu_code()) end_as_unsupported("CUDA arrays in a proof on a GPU");
  if (!handle || !format) return cudaErrorInvalidValue;
  *handle = nullptr;
  std::optional<TexelFormat> texel = texel_format(*format);
  if (!texel) return cudaErrorInvalidChannelDescriptor;
  if ((flags & cudaArrayCubemap) && !is_cubemap(extent, flags)) return cudaErrorInvalidValue;
  if (extent.width == 0 || extent.width > kLargestSide || extent.height > kLargestSide ||
      extent.depth > kLargestSide) {
    return cudaErrorInvalidValue;
  }
  auto array = std::make_unique<cudaArray>(cudaArray{*format, extent, flags, texel->bytes(), 0, 0, 0});
  array->row_pitch = (array->row_bytes() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  array->slice_pitch = array->row_pitch * array->rows();
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(array->slice_pitch, array->slices(), &bytes)) return cudaErrorMemoryAllocation;
  array->address = allocate_memory(bytes, MemoryKind::kDevice);
  if (array->address == 0) return cudaErrorMemoryAllocation;
  std::lock_guard lock(arrays().mutex);
  *handle = array.get();
  arrays().living.emplace(*handle, std::move(array));
  return cudaSuccess;
}

cudaError_t destroy(cudaArray_t handle) {
  if (!handle) return cudaSuccess;
  std::lock_guard lock(arrays().mutex);
  auto found = arrays().living.find(handle);
  if (found == arrays().living.end()) return cudaErrorInvalidResourceHandle;
  free_memory(found->second->address, MemoryKind::kDevice);
  arrays().living.erase(found);
  return cudaSuccess;
}

}  // namespace

std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format) {
  TexelFormat texel{1, static_cast<uint32_t>(format.x)};
  if (format.x != 8 && format.x != 16 && format.x != 32) return std::nullopt;
  if (format.f == cudaChannelFormatKindFloat && format.x == 8) return std::nullopt;
  if (format.f < cudaChannelFormatKindSigned || format.f > cudaChannelFormatKindFloat) return std::nullopt;
  if (format.y != 0) texel.channels = format.z != 0 || format.w != 0 ? 4 : 2;
  const int others[] = {format.y, format.z, format.w};
  for (uint32_t i = 0; i < 3; ++i) {
    if (others[i] != (i + 1 < texel.channels ? format.x : 0)) return std::nullopt;
  }
  return texel;
}

cudaArray* find_array(cudaArray_const_t handle) {
  std::lock_guard lock(arrays().mutex);
  auto found = arrays().living.find(handle);
  return found == arrays().living.end() ? nullptr : found->second.get();
}

std::optional<Surface> part_of(const cudaArray& array, const ArrayPlace& place, const Box& box) {
  auto inside = [](uint64_t start, uint64_t size, uint64_t limit) {
    return start <= limit && size <= limit - start;
  };
  if (!inside(place.x, box.width, array.row_bytes()) || !inside(place.y, box.height, array.rows()) ||
      !inside(place.z, box.depth, array.slices())) {
    return std::nullopt;
  }
  uint64_t address = array.address + place.z * array.slice_pitch + place.y * array.row_pitch + place.x;
  return Surface{address, array.row_pitch, array.slice_pitch};
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] { return create(array, format, {width, height, 0}, flags); });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  return api_call(CallKind::kImmediate, [&] { return create(array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_call(CallKind::kSynchronizes, [&] { return destroy(array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
  return api_call(CallKind::kImmediate, [&] {
    const cudaArray* array = find_array(handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
  return api_call(CallKind::kImmediate, [&] {
    const cudaArray* array = find_array(handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!format) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
