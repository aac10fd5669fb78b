// Texture and surface objects: a handle is the address of a CusetTexture, which device code reads through. It
// lies in memory shared with the device, so that the checks know it. Where kernels run on a GPU in another process, that
// process makes the texture object and gives the handle; there are no surface objects then.
#include <map>
#include <mutex>
#include <optional>

#include "cuset_emulator/texture_api.h"
#include "cuset_emulator/texture_object.h"
#include "runtime/api/api_call.h"
#include "runtime/api/arrays.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/registry.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kLinearAlignment = 512;
constexpr uint64_t kPitchAlignment = 32;

struct Description {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

struct Objects {
  std::mutex mutex;
  std::map<unsigned long long, Description> living;
};

Objects& objects() {
  static Objects& instance = *new Objects;
  return instance;
}

bool is_device_memory(const void* memory, uint64_t bytes) {
  uint64_t address = reinterpret_cast<uint64_t>(memory);
  std::optional<Allocation> found = find_allocation(address);
  return found && !found->freed && bytes <= found->address + found->bytes - address;
}

cudaError_t set_format(CusetTexture& to, const cudaChannelFormatDesc& format) {
  std::optional<TexelFormat> texel = texel_format(format);
  if (!texel) return cudaErrorInvalidChannelDescriptor;
  to.texel_bytes = texel->bytes();
  to.channels = texel->channels;
  to.channel_bits = texel->channel_bits;
  to.channel_kind = format.f;
  return cudaSuccess;
}

cudaError_t set_array(CusetTexture& to, cudaArray_t handle) {
  const cudaArray* array = find_array(handle);
  if (!array) return cudaErrorInvalidResourceHandle;
  to.layered = (array->flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  to.dimensions = array->extent.height == 0 ? 1 : array->extent.depth == 0 || to.layered ? 2 : 3;
  to.data = reinterpret_cast<char*>(array->address);
  to.width = array->extent.width;
  to.height = array->extent.height;
  to.depth = array->extent.depth;
  to.row_pitch = array->row_pitch;
  to.slice_pitch = array->slice_pitch;
  return set_format(to, array->format);
}

cudaError_t set_linear(CusetTexture& to, const cudaResourceDesc& resource) {
  const auto& linear = resource.res.linear;
  if (cudaError_t error = set_format(to, linear.desc); error != cudaSuccess) return error;
  if (!is_device_memory(linear.devPtr, linear.sizeInBytes)) return cudaErrorInvalidValue;
  if (reinterpret_cast<uint64_t>(linear.devPtr) % kLinearAlignment != 0) return cudaErrorInvalidValue;
  to.dimensions = 1;
  to.data = static_cast<char*>(linear.devPtr);
  to.width = linear.sizeInBytes / to.texel_bytes;
  to.row_pitch = linear.sizeInBytes;
  return cudaSuccess;
}

cudaError_t set_pitched(CusetTexture& to, const cudaResourceDesc& resource) {
  const auto& pitched = resource.res.pitch2D;
  if (cudaError_t error = set_format(to, pitched.desc); error != cudaSuccess) return error;
  uint64_t bytes = 0;
  if (pitched.height == 0 || pitched.pitchInBytes % kPitchAlignment != 0 ||
      pitched.width > pitched.pitchInBytes / to.texel_bytes ||
      __builtin_mul_overflow(pitched.pitchInBytes, pitched.height - 1, &bytes) ||
      !is_device_memory(pitched.devPtr, bytes + pitched.width * to.texel_bytes)) {
    return cudaErrorInvalidValue;
  }
  if (reinterpret_cast<uint64_t>(pitched.devPtr) % kLinearAlignment != 0) return cudaErrorInvalidValue;
  to.dimensions = 2;
  to.data = static_cast<char*>(pitched.devPtr);
  to.width = pitched.width;
  to.height = pitched.height;
  to.row_pitch = pitched.pitchInBytes;
  to.slice_pitch = pitched.pitchInBytes * pitched.height;
  return cudaSuccess;
}

cudaError_t set_resource(CusetTexture& to, const cudaResourceDesc& resource) {
  to.resource_kind = resource.resType;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return set_array(to, resource.res.array.array);
    case cudaResourceTypeLinear:
      return set_linear(to, resource);
    case cudaResourceTypePitch2D:
      return set_pitched(to, resource);
    case cudaResourceTypeMipmappedArray:
      end_as_unsupported("mipmapped arrays");
  }
  return cudaErrorInvalidValue;
}

cudaError_t set_sampling(CusetTexture& to, const cudaTextureDesc& description) {
  if (description.sRGB) end_as_unsupported("textures with sRGB conversion");
  if (description.seamlessCubemap) end_as_unsupported("seamless cubemap textures");
  bool reads_integers =
      description.readMode == cudaReadModeElementType && to.channel_kind != cudaChannelFormatKindFloat;
  if (description.filterMode == cudaFilterModeLinear && reads_integers) return cudaErrorInvalidFilterSetting;
  if (description.readMode == cudaReadModeNormalizedFloat && to.channel_kind != cudaChannelFormatKindFloat &&
      to.channel_bits == 32) {
    return cudaErrorInvalidNormSetting;
  }
  for (int i = 0; i < 3; ++i) {
    cudaTextureAddressMode mode = description.addressMode[i];
    bool needs_normalized = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    to.address_mode[i] = needs_normalized && !description.normalizedCoords ? cudaAddressModeClamp : mode;
  }
  to.filter_mode = description.filterMode;
  to.read_mode = description.readMode;
  to.normalized_coordinates = description.normalizedCoords != 0;
  for (int i = 0; i < 4; ++i) to.border_color[i] = description.borderColor[i];
  return cudaSuccess;
}

cudaError_t publish_on_gpu(const CusetTexture& texture, const Description& description,
                           unsigned long long* handle) {
  uint64_t made = 0;
  if (const int error = remote_device()->create_texture(texture, made); error != 0)
    return static_cast<cudaError_t>(error);
  std::lock_guard lock(objects().mutex);
  objects().living[made] = description;
  *handle = made;
  return cudaSuccess;
}

cudaError_t publish(const CusetTexture& texture, const Description& description, unsigned long long* handle) {
  if (has_gpu_code()) return publish_on_gpu(texture, description, handle);
  uint64_t address = allocate_memory(sizeof(CusetTexture), MemoryKind::kPinned);
  if (address == 0) return cudaErrorMemoryAllocation;
  *reinterpret_cast<CusetTexture*>(address) = texture;
  std::lock_guard lock(objects().mutex);
  objects().living[address] = description;
  *handle = address;
  return cudaSuccess;
}

cudaError_t create_texture(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                           const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  if (!handle || !resource || !description) return cudaErrorInvalidValue;
  *handle = 0;
  if (view && view->format != cudaResViewFormatNone) end_as_unsupported("texture resource views");
  CusetTexture texture{};
  texture.magic = CUSET_TEXTURE_MAGIC;
  if (cudaError_t error = set_resource(texture, *resource); error != cudaSuccess) return error;
  if (cudaError_t error = set_sampling(texture, *description); error != cudaSuccess) return error;
  return publish(texture, {*resource, *description}, handle);
}

cudaError_t create_surface(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  if (has_gpu_code()) end_as_unsupported("surface objects in a proof on a GPU");
  if (!handle || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  *handle = 0;
  const cudaArray* array = find_array(resource->res.array.array);
  if (array && !(array->flags & cudaArraySurfaceLoadStore)) return cudaErrorInvalidValue;
  CusetTexture surface{};
  surface.magic = CUSET_TEXTURE_MAGIC;
  if (cudaError_t error = set_resource(surface, *resource); error != cudaSuccess) return error;
  return publish(surface, {*resource, {}}, handle);
}

// Kernels that still use the object see that it is gone.
cudaError_t destroy(unsigned long long handle) {
  if (handle == 0) return cudaSuccess;
  std::lock_guard lock(objects().mutex);
  if (objects().living.erase(handle) == 0) return cudaErrorInvalidResourceHandle;
  if (has_gpu_code()) {
    remote_device()->destroy_texture(handle);
    return cudaSuccess;
  }
  reinterpret_cast<CusetTexture*>(handle)->magic = 0;
  free_memory(handle, MemoryKind::kPinned);
  return cudaSuccess;
}

template <class Read>
cudaError_t ask(unsigned long long handle, Read read) {
  return api_call(CallKind::kImmediate, [&] {
    std::lock_guard lock(objects().mutex);
    auto found = objects().living.find(handle);
    return found == objects().living.end() ? cudaErrorInvalidResourceHandle : read(found->second);
  });
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return api_call(CallKind::kImmediate, [&] { return create_texture(texture, resource, description, view); });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  finish_pending_work();
  return api_call(CallKind::kImmediate, [&] { return destroy(texture); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  return ask(texture, [&](const Description& description) {
    if (!resource) return cudaErrorInvalidValue;
    *resource = description.resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t texture) {
  return ask(texture, [&](const Description& description) {
    if (!sampling) return cudaErrorInvalidValue;
    *sampling = description.texture;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  return api_call(CallKind::kImmediate, [&] { return create_surface(surface, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  finish_pending_work();
  return api_call(CallKind::kImmediate, [&] { return destroy(surface); });
}

}  // extern "C"
