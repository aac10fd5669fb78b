// Texture fetches, after the programming guide's appendix on texture fetching: point and linear filtering
// with weights of 8 fractional bits, four address modes, normalized coordinates and normalized reads.
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/conversion_intrinsics.h"
#include "cuset_emulator/small_floats.h"
#include "cuset_emulator/texture_object.h"
#include "cuset_emulator/texture_types.h"

#if defined(__CUDA__) || defined(CUSET_TEXTURE_TEST)

namespace cuset_emulator {

// One or several channels: the element type of T, how many, and how to build a T.
template <class T>
struct TexelTraits;

#define CUSET_TEXEL(type, element_type, count, ...)                              \
  template <>                                                                    \
  struct TexelTraits<type> {                                                     \
    typedef element_type Element;                                                \
    static constexpr int kChannels = count;                                      \
    CUSET_DEVICE_FUNCTION type build(const Element* c) { return {__VA_ARGS__}; } \
  };
#define CUSET_TEXELS(name, type)            \
  CUSET_TEXEL(type, type, 1, c[0])          \
  CUSET_TEXEL(name##1, type, 1, c[0])       \
  CUSET_TEXEL(name##2, type, 2, c[0], c[1]) \
  CUSET_TEXEL(name##4, type, 4, c[0], c[1], c[2], c[3])

CUSET_TEXELS(char, signed char)
CUSET_TEXELS(uchar, unsigned char)
CUSET_TEXELS(short, short)
CUSET_TEXELS(ushort, unsigned short)
CUSET_TEXELS(int, int)
CUSET_TEXELS(uint, unsigned int)
CUSET_TEXELS(float, float)
CUSET_TEXEL(char, char, 1, c[0])

#undef CUSET_TEXEL
#undef CUSET_TEXELS

CUSET_DEVICE_FUNCTION const CusetTexture& texture_of(unsigned long long object) {
  const CusetTexture* const texture = reinterpret_cast<const CusetTexture*>(object);
  if (texture == nullptr || texture->magic != CUSET_TEXTURE_MAGIC) cuset_trap();
  return *texture;
}

// The texel a coordinate means, or -1 for the border.
CUSET_DEVICE_FUNCTION long address_texel(long index, long size, unsigned int mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case cudaAddressModeWrap:
      return (index % size + size) % size;
    case cudaAddressModeMirror: {
      const long place = (index % (2 * size) + 2 * size) % (2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
    case cudaAddressModeBorder:
      return -1;
    default:
      return index < 0 ? 0 : size - 1;
  }
}

CUSET_DEVICE_FUNCTION long whole_coordinate(float x) {
  return x > -0x1p40f && x < 0x1p40f ? static_cast<long>(__builtin_floorf(x))
                                     : (x > 0 ? 1l << 40 : -(1l << 40));
}

CUSET_DEVICE_FUNCTION unsigned int channel_bits(const CusetTexture& texture, const char* texel, int channel) {
  unsigned int bits = 0;
  const unsigned int bytes = texture.channel_bits / 8;
  __builtin_memcpy(&bits, texel + channel * bytes, bytes);
  return bits;
}

// A channel's bits as a number: the float they are, or the integer, or its share of the largest one.
CUSET_DEVICE_FUNCTION float channel_as_float(const CusetTexture& texture, unsigned int bits) {
  if (texture.channel_kind == cudaChannelFormatKindFloat) {
    return texture.channel_bits == 16 ? half_to_float(static_cast<unsigned short>(bits))
                                      : same_bits<float>(bits);
  }
  const int unused = 32 - static_cast<int>(texture.channel_bits);
  const bool is_signed = texture.channel_kind == cudaChannelFormatKindSigned;
  const int value = is_signed ? static_cast<int>(bits << unused) >> unused : static_cast<int>(bits);
  if (texture.read_mode != cudaReadModeNormalizedFloat) return static_cast<float>(value);
  const int largest = (1 << (texture.channel_bits - (is_signed ? 1 : 0))) - 1;
  const float share = static_cast<float>(value) / static_cast<float>(largest);
  return share < -1.0f ? -1.0f : share;
}

CUSET_DEVICE_FUNCTION void convert_channel(const CusetTexture& texture, unsigned int bits, float* to) {
  *to = channel_as_float(texture, bits);
}
template <class Integer>
CUSET_DEVICE_FUNCTION void convert_channel(const CusetTexture&, unsigned int bits, Integer* to) {
  *to = static_cast<Integer>(bits);
}

// A border color or a weighted sum as a channel of T; beyond an integer's range its nearest end.
CUSET_DEVICE_FUNCTION void convert_number(float number, float* to) { *to = number; }
template <class Integer>
CUSET_DEVICE_FUNCTION void convert_number(float number, Integer* to) {
  *to = to_integer<Integer>(number, kToZero);
}

// What a fetch is about: texel (x, y, z) after addressing, -1 in any of them meaning the border.
struct TexelPlace {
  long x, y, z;
};

template <class Element>
CUSET_DEVICE_FUNCTION void read_texel(const CusetTexture& texture, TexelPlace place, int channels,
                                      Element* to) {
  const bool border = place.x < 0 || place.y < 0 || place.z < 0;
  const char* const texel = texture.data + place.z * static_cast<long>(texture.slice_pitch) +
                            place.y * static_cast<long>(texture.row_pitch) +
                            place.x * static_cast<long>(texture.texel_bytes);
  for (int channel = 0; channel < channels; ++channel) {
    if (static_cast<unsigned int>(channel) >= texture.channels) {
      to[channel] = 0;
    } else if (border) {
      convert_number(texture.border_color[channel], &to[channel]);
    } else {
      convert_channel(texture, channel_bits(texture, texel, channel), &to[channel]);
    }
  }
}

// One axis of a fetch: the texel before and after the coordinate, and the weight of the latter.
struct TextureAxis {
  long low, high;
  float weight;
};

CUSET_DEVICE_FUNCTION TextureAxis locate(const CusetTexture& texture, float coordinate,
                                         unsigned long long size, int axis) {
  const long texels = size == 0 ? 1 : static_cast<long>(size);
  unsigned int mode = texture.address_mode[axis];
  if (texture.normalized_coordinates) {
    coordinate *= static_cast<float>(texels);
  } else if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
    mode = cudaAddressModeClamp;  // those two exist for normalized coordinates only
  }
  if (texture.filter_mode == cudaFilterModePoint) {
    const long texel = address_texel(whole_coordinate(coordinate), texels, mode);
    return TextureAxis{texel, texel, 0.0f};
  }
  const float fixed = __builtin_rintf((coordinate - 0.5f) * 256.0f) / 256.0f;
  const long texel = whole_coordinate(fixed);
  return TextureAxis{address_texel(texel, texels, mode), address_texel(texel + 1, texels, mode),
                     fixed - __builtin_floorf(fixed)};
}

CUSET_DEVICE_FUNCTION TextureAxis whole_axis(long index) { return TextureAxis{index, index, 0.0f}; }

template <class T>
CUSET_DEVICE_FUNCTION T sample_point(const CusetTexture& texture, TexelPlace place) {
  typename TexelTraits<T>::Element channels[TexelTraits<T>::kChannels];
  read_texel(texture, place, TexelTraits<T>::kChannels, channels);
  return TexelTraits<T>::build(channels);
}

// The sum of the up to eight texels around the coordinates, each with the product of its weights.
template <class T>
CUSET_DEVICE_FUNCTION T sample(const CusetTexture& texture, TextureAxis x, TextureAxis y, TextureAxis z) {
  if (texture.filter_mode == cudaFilterModePoint)
    return sample_point<T>(texture, TexelPlace{x.low, y.low, z.low});
  typedef typename TexelTraits<T>::Element Element;
  constexpr int kChannels = TexelTraits<T>::kChannels;
  float sum[kChannels] = {};
  for (int corner = 0; corner < 8; ++corner) {
    const float weight = (corner & 1 ? x.weight : 1.0f - x.weight) *
                         (corner & 2 ? y.weight : 1.0f - y.weight) *
                         (corner & 4 ? z.weight : 1.0f - z.weight);
    if (weight == 0.0f) continue;
    Element texel[kChannels];
    read_texel(
        texture,
        TexelPlace{corner & 1 ? x.high : x.low, corner & 2 ? y.high : y.low, corner & 4 ? z.high : z.low},
        kChannels, texel);
    for (int channel = 0; channel < kChannels; ++channel)
      sum[channel] += weight * static_cast<float>(texel[channel]);
  }
  Element channels[kChannels];
  for (int channel = 0; channel < kChannels; ++channel) convert_number(sum[channel], &channels[channel]);
  return TexelTraits<T>::build(channels);
}

CUSET_DEVICE_FUNCTION TextureAxis layer_of(const CusetTexture& texture, int layer) {
  return whole_axis(address_texel(layer, static_cast<long>(texture.depth), cudaAddressModeClamp));
}

// The four texels of a bilinear fetch, one channel of each, counter-clockwise from the lower left one.
template <class T>
CUSET_DEVICE_FUNCTION T gather(const CusetTexture& texture, TextureAxis x, TextureAxis y, int channel) {
  typedef typename TexelTraits<T>::Element Element;
  const TexelPlace places[4] = {
      {x.low, y.high, 0}, {x.high, y.high, 0}, {x.high, y.low, 0}, {x.low, y.low, 0}};
  Element result[4];
  for (int i = 0; i < 4; ++i) {
    Element texel[4];
    read_texel(texture, places[i], 4, texel);
    result[i] = texel[channel & 3];
  }
  return TexelTraits<T>::build(result);
}

}  // namespace cuset_emulator

template <class T>
CUSET_DEVICE_FUNCTION T tex1Dfetch(cudaTextureObject_t object, int x) {
  const CusetTexture& texture = cuset_emulator::texture_of(object);
  const bool inside = x >= 0 && static_cast<unsigned long long>(x) < texture.width;
  return cuset_emulator::sample_point<T>(texture, cuset_emulator::TexelPlace{inside ? x : -1, 0, 0});
}

template <class T>
CUSET_DEVICE_FUNCTION T tex1D(cudaTextureObject_t object, float x) {
  using namespace cuset_emulator;
  const CusetTexture& texture = texture_of(object);
  return sample<T>(texture, locate(texture, x, texture.width, 0), whole_axis(0), whole_axis(0));
}

template <class T>
CUSET_DEVICE_FUNCTION T tex2D(cudaTextureObject_t object, float x, float y) {
  using namespace cuset_emulator;
  const CusetTexture& texture = texture_of(object);
  return sample<T>(texture, locate(texture, x, texture.width, 0), locate(texture, y, texture.height, 1),
                   whole_axis(0));
}

template <class T>
CUSET_DEVICE_FUNCTION T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  using namespace cuset_emulator;
  const CusetTexture& texture = texture_of(object);
  return sample<T>(texture, locate(texture, x, texture.width, 0), locate(texture, y, texture.height, 1),
                   locate(texture, z, texture.depth, 2));
}

template <class T>
CUSET_DEVICE_FUNCTION T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  using namespace cuset_emulator;
  const CusetTexture& texture = texture_of(object);
  return sample<T>(texture, locate(texture, x, texture.width, 0), whole_axis(0), layer_of(texture, layer));
}

template <class T>
CUSET_DEVICE_FUNCTION T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  using namespace cuset_emulator;
  const CusetTexture& texture = texture_of(object);
  return sample<T>(texture, locate(texture, x, texture.width, 0), locate(texture, y, texture.height, 1),
                   layer_of(texture, layer));
}

template <class T>
CUSET_DEVICE_FUNCTION T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  using namespace cuset_emulator;
  CusetTexture texture = texture_of(object);
  texture.filter_mode = cudaFilterModeLinear;  // for the four neighbors; nothing is averaged
  return gather<T>(texture, locate(texture, x, texture.width, 0), locate(texture, y, texture.height, 1),
                   channel);
}

// The older form that returns through a pointer.
template <class T>
CUSET_DEVICE_FUNCTION void tex1Dfetch(T* result, cudaTextureObject_t object, int x) {
  *result = tex1Dfetch<T>(object, x);
}
template <class T>
CUSET_DEVICE_FUNCTION void tex1D(T* result, cudaTextureObject_t object, float x) {
  *result = tex1D<T>(object, x);
}
template <class T>
CUSET_DEVICE_FUNCTION void tex2D(T* result, cudaTextureObject_t object, float x, float y) {
  *result = tex2D<T>(object, x, y);
}
template <class T>
CUSET_DEVICE_FUNCTION void tex3D(T* result, cudaTextureObject_t object, float x, float y, float z) {
  *result = tex3D<T>(object, x, y, z);
}

// Without mipmaps every level is the first one.
template <class T>
CUSET_DEVICE_FUNCTION T tex2DLod(cudaTextureObject_t object, float x, float y, float) {
  return tex2D<T>(object, x, y);
}
template <class T>
CUSET_DEVICE_FUNCTION T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float) {
  return tex3D<T>(object, x, y, z);
}

namespace cuset_emulator {

// The face that a direction meets, and where in it: from -1 to 1, before the division by the largest coordinate.
struct CubemapPlace {
  int face;
  float m, s, t;
};

CUSET_DEVICE_FUNCTION CubemapPlace cubemap_place(float x, float y, float z) {
  const float width = __builtin_fabsf(x), height = __builtin_fabsf(y), depth = __builtin_fabsf(z);
  if (width >= height && width >= depth)
    return x >= 0 ? CubemapPlace{0, width, -z, -y} : CubemapPlace{1, width, z, -y};
  if (height >= depth) return y >= 0 ? CubemapPlace{2, height, x, z} : CubemapPlace{3, height, x, -z};
  return z >= 0 ? CubemapPlace{4, depth, x, -y} : CubemapPlace{5, depth, -x, -y};
}

// Filtering stays in the face.
template <class T>
CUSET_DEVICE_FUNCTION T sample_cubemap(unsigned long long object, float x, float y, float z, int layer) {
  CusetTexture texture = texture_of(object);
  texture.normalized_coordinates = 1;
  const CubemapPlace place = cubemap_place(x, y, z);
  const float s = (place.s / place.m + 1.0f) / 2.0f, t = (place.t / place.m + 1.0f) / 2.0f;
  return sample<T>(texture, locate(texture, s, texture.width, 0), locate(texture, t, texture.height, 1),
                   layer_of(texture, layer * 6 + place.face));
}

}  // namespace cuset_emulator

template <class T>
CUSET_DEVICE_FUNCTION T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
  return cuset_emulator::sample_cubemap<T>(object, x, y, z, 0);
}
template <class T>
CUSET_DEVICE_FUNCTION T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  return cuset_emulator::sample_cubemap<T>(object, x, y, z, layer);
}

#endif
