// Surface reads and writes: coordinates in bytes along x, in texels otherwise; no filtering, no conversion.
#pragma once

#include "cuset_emulator/textures.h"

#if defined(__CUDA__) || defined(CUSET_TEXTURE_TEST)

namespace cuset_emulator {

struct SurfacePlace {
  int x;  // bytes
  int y;
  int z;
};

// The bytes of a texel; null where the boundary mode answers with zero.
CUSET_DEVICE_FUNCTION char* surface_texel(const CusetTexture& surface, SurfacePlace place, int bytes,
                                          int mode) {
  const long row = static_cast<long>(surface.width * surface.texel_bytes);
  const long rows = surface.height == 0 ? 1 : static_cast<long>(surface.height);
  const long slices = surface.depth == 0 ? 1 : static_cast<long>(surface.depth);
  if (place.x % bytes != 0) cuset_trap();
  const bool inside = place.x >= 0 && place.x + bytes <= row && place.y >= 0 && place.y < rows &&
                      place.z >= 0 && place.z < slices;
  if (!inside && mode == cudaBoundaryModeZero) return nullptr;
  if (!inside && mode != cudaBoundaryModeClamp) cuset_trap();
  const long x = address_texel(place.x / bytes, row / bytes, cudaAddressModeClamp) * bytes;
  const long y = address_texel(place.y, rows, cudaAddressModeClamp);
  const long z = address_texel(place.z, slices, cudaAddressModeClamp);
  return surface.data + z * static_cast<long>(surface.slice_pitch) +
         y * static_cast<long>(surface.row_pitch) + x;
}

template <class T>
CUSET_DEVICE_FUNCTION T read_surface(unsigned long long object, SurfacePlace place, int mode) {
  T value = {};
  const char* const texel = surface_texel(texture_of(object), place, sizeof(T), mode);
  if (texel != nullptr) value = *reinterpret_cast<const T*>(texel);
  return value;
}

template <class T>
CUSET_DEVICE_FUNCTION void write_surface(unsigned long long object, SurfacePlace place, T value, int mode) {
  char* const texel = surface_texel(texture_of(object), place, sizeof(T), mode);
  if (texel != nullptr) *reinterpret_cast<T*>(texel) = value;
}

}  // namespace cuset_emulator

// `x` in bytes; `rest` are the further coordinates by name.
#define CUSET_SURFACE(name, place, ...)                                                          \
  template <class T>                                                                             \
  CUSET_DEVICE_FUNCTION T name##read(cudaSurfaceObject_t object, __VA_ARGS__,                    \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    return cuset_emulator::read_surface<T>(object, cuset_emulator::SurfacePlace place, mode);    \
  }                                                                                              \
  template <class T>                                                                             \
  CUSET_DEVICE_FUNCTION void name##read(T* result, cudaSurfaceObject_t object, __VA_ARGS__,      \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {   \
    *result = cuset_emulator::read_surface<T>(object, cuset_emulator::SurfacePlace place, mode); \
  }                                                                                              \
  template <class T>                                                                             \
  CUSET_DEVICE_FUNCTION void name##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,       \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    cuset_emulator::write_surface(object, cuset_emulator::SurfacePlace place, value, mode);      \
  }

#define CUSET_PLACE(...) {__VA_ARGS__}
CUSET_SURFACE(surf1D, CUSET_PLACE(x, 0, 0), int x)
CUSET_SURFACE(surf2D, CUSET_PLACE(x, y, 0), int x, int y)
CUSET_SURFACE(surf3D, CUSET_PLACE(x, y, z), int x, int y, int z)
CUSET_SURFACE(surf1DLayered, CUSET_PLACE(x, 0, layer), int x, int layer)
CUSET_SURFACE(surf2DLayered, CUSET_PLACE(x, y, layer), int x, int y, int layer)
CUSET_SURFACE(surfCubemap, CUSET_PLACE(x, y, face), int x, int y, int face)
CUSET_SURFACE(surfCubemapLayered, CUSET_PLACE(x, y, face), int x, int y, int face)

#undef CUSET_PLACE
#undef CUSET_SURFACE

#endif
