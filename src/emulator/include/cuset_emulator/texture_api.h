// The host API for arrays, textures and surfaces.
#pragma once

#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/stream_types.h"
#include "cuset_emulator/texture_types.h"
#include "cuset_emulator/vector_types.h"

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t from_x, size_t from_y, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t to_x, size_t to_y, const void* from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t to_x, size_t to_y, const void* from,
                                     size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t from_x,
                                  size_t from_y, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t from_x,
                                       size_t from_y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

}  // extern "C"

// The format of a C++ type: cudaCreateChannelDesc<float4>().
template <class T>
struct CusetChannelFormat;

#define CUSET_CHANNEL_FORMAT(type, bits, channels, kind)                                                   \
  template <>                                                                                              \
  struct CusetChannelFormat<type> {                                                                        \
    static constexpr cudaChannelFormatDesc value{(bits), (channels) > 1 ? (bits) : 0,                      \
                                                 (channels) > 2 ? (bits) : 0, (channels) > 3 ? (bits) : 0, \
                                                 cudaChannelFormatKind##kind};                             \
  };
#define CUSET_CHANNEL_FORMATS(name, type, bits, kind) \
  CUSET_CHANNEL_FORMAT(type, bits, 1, kind)           \
  CUSET_CHANNEL_FORMAT(name##1, bits, 1, kind)        \
  CUSET_CHANNEL_FORMAT(name##2, bits, 2, kind)        \
  CUSET_CHANNEL_FORMAT(name##4, bits, 4, kind)

CUSET_CHANNEL_FORMATS(char, signed char, 8, Signed)
CUSET_CHANNEL_FORMATS(uchar, unsigned char, 8, Unsigned)
CUSET_CHANNEL_FORMATS(short, short, 16, Signed)
CUSET_CHANNEL_FORMATS(ushort, unsigned short, 16, Unsigned)
CUSET_CHANNEL_FORMATS(int, int, 32, Signed)
CUSET_CHANNEL_FORMATS(uint, unsigned int, 32, Unsigned)
CUSET_CHANNEL_FORMATS(float, float, 32, Float)
CUSET_CHANNEL_FORMAT(char, 8, 1, Signed)

#undef CUSET_CHANNEL_FORMAT
#undef CUSET_CHANNEL_FORMATS

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return CusetChannelFormat<T>::value;
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}
