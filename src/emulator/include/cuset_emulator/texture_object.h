// The texture object shared by the runtime, which fills it in, and device code, which reads through it. A
// cudaTextureObject_t or cudaSurfaceObject_t is the address of one; it lives until the object is destroyed.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CUSET_TEXTURE_MAGIC 0x58455443u  // "CTEX"

// Plain data. Texel (x, y, z) starts at data + z * slice_pitch + y * row_pitch + x * texel_bytes.
struct CusetTexture {
  uint32_t magic;        // CUSET_TEXTURE_MAGIC; the runtime clears it when the object is destroyed
  uint32_t dimensions;   // 1, 2 or 3 of the memory; layers do not count
  char* data;            // device memory of an array, linear or pitched resource
  uint64_t width;        // in texels
  uint64_t height;       // 0 in one dimension, as in the array's description
  uint64_t depth;        // of a 3D array, or the number of layers of a layered one; else 0
  uint64_t row_pitch;    // bytes
  uint64_t slice_pitch;  // bytes
  uint32_t texel_bytes;
  uint32_t channels;         // 1, 2 or 4
  uint32_t channel_bits;     // 8, 16 or 32
  uint32_t channel_kind;     // a cudaChannelFormatKind
  uint32_t address_mode[3];  // a cudaTextureAddressMode each
  uint32_t filter_mode;      // a cudaTextureFilterMode
  uint32_t read_mode;        // a cudaTextureReadMode
  uint32_t normalized_coordinates;
  uint32_t resource_kind;  // a cudaResourceType
  uint32_t layered;
  float border_color[4];
};
