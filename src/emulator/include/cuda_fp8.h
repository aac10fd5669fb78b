// 8-bit floating point: __nv_fp8_e4m3 and __nv_fp8_e5m2, vectors of two and four, and the conversions. They are storage
// formats: arithmetic is done in the types they convert to. Everything goes through double, whose rounding to nearest is
// the only one.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuset_emulator/small_floats.h"
#include "cuset_emulator/vector_functions.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cuset_emulator {

// The bits of |x| in e4m3, which has no infinity: what is too large becomes 448 or NaN.
CUSET_BOTH_FUNCTION unsigned int e4m3_magnitude(double x, bool saturates) {
  const unsigned long long bits = same_bits<unsigned long long>(x) & 0x7fffffffffffffffull;
  const double magnitude = same_bits<double>(bits);
  if (!(magnitude <= 464)) return saturates && magnitude == magnitude ? 0x7eu : 0x7fu;
  if (magnitude < 0x1p-6)  // adding 2^52 rounds to a multiple of 2^-9, the smallest number
    return static_cast<unsigned int>(same_bits<unsigned long long>(magnitude * 0x1p9 + 0x1p52) & 15u);
  const unsigned long long rounded = bits + 0xffffffffffffull + (bits >> 49 & 1u);
  return static_cast<unsigned int>((rounded >> 49) - (1016ull << 3));
}

CUSET_BOTH_FUNCTION unsigned int e5m2_magnitude(double x, bool saturates) {
  if (!(x == x)) return 0x7eu;
  const unsigned int magnitude = pack_double<5, 2>(x, kNearest) & 0x7fu;
  return saturates && magnitude == 0x7cu ? 0x7bu : magnitude;
}

CUSET_BOTH_FUNCTION float fp8_to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
  return format == __NV_E4M3 ? e4m3_to_float(bits) : e5m2_to_float(bits);
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t format) {
  const bool saturates = saturation == __NV_SATFINITE;
  const unsigned int magnitude = format == __NV_E4M3 ? cuset_emulator::e4m3_magnitude(x, saturates)
                                                     : cuset_emulator::e5m2_magnitude(x, saturates);
  const unsigned long long sign = cuset_emulator::same_bits<unsigned long long>(x) >> 63 << 7;
  return static_cast<__nv_fp8_storage_t>(magnitude | sign);
}
CUSET_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(x, saturation, format);
}
CUSET_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                               __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(cuset_emulator::half_to_float(x.x), saturation, format);
}
CUSET_BOTH_FUNCTION __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                                   __nv_saturation_t saturation,
                                                                   __nv_fp8_interpretation_t format) {
  return __nv_cvt_double_to_fp8(cuset_emulator::bfloat16_to_float(x.x), saturation, format);
}

CUSET_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation,
                                                                   __nv_fp8_interpretation_t format) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.x, saturation, format) |
                                           __nv_cvt_double_to_fp8(x.y, saturation, format) << 8);
}
CUSET_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                                  __nv_fp8_interpretation_t format) {
  return __nv_cvt_double2_to_fp8x2(double2{x.x, x.y}, saturation, format);
}
CUSET_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x,
                                                                    __nv_saturation_t saturation,
                                                                    __nv_fp8_interpretation_t format) {
  using cuset_emulator::half_to_float;
  return __nv_cvt_double2_to_fp8x2(double2{half_to_float(x.x), half_to_float(x.y)}, saturation, format);
}
CUSET_BOTH_FUNCTION __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                                        __nv_saturation_t saturation,
                                                                        __nv_fp8_interpretation_t format) {
  using cuset_emulator::bfloat16_to_float;
  return __nv_cvt_double2_to_fp8x2(double2{bfloat16_to_float(x.x), bfloat16_to_float(x.y)}, saturation,
                                   format);
}

// Every number of 8 bits is a half.
CUSET_BOTH_FUNCTION __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                       __nv_fp8_interpretation_t format) {
  return __half_raw{cuset_emulator::float_to_half(cuset_emulator::fp8_to_float(x, format))};
}
CUSET_BOTH_FUNCTION __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                           __nv_fp8_interpretation_t format) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), format).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

namespace cuset_emulator {

template <__nv_fp8_interpretation_t kFormat>
struct Float8 {
  __nv_fp8_storage_t __x;

  Float8() = default;
  __host__ __device__ explicit Float8(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kFormat)) {}
  __host__ __device__ explicit Float8(float x) : Float8(static_cast<double>(x)) {}
  __host__ __device__ explicit Float8(__half x) : Float8(static_cast<float>(x)) {}
  __host__ __device__ explicit Float8(__nv_bfloat16 x) : Float8(static_cast<float>(x)) {}
#define CUSET_FP8_INTEGER(type)                                                                    \
  __host__ __device__ explicit Float8(type x) : Float8(static_cast<double>(exact_or_sticky(x))) {} \
  __host__ __device__ explicit operator type() const { return to_integer<type>(value(), kToZero); }
  CUSET_FP8_INTEGER(short)
  CUSET_FP8_INTEGER(unsigned short)
  CUSET_FP8_INTEGER(int)
  CUSET_FP8_INTEGER(unsigned int)
  CUSET_FP8_INTEGER(long)
  CUSET_FP8_INTEGER(unsigned long)
  CUSET_FP8_INTEGER(long long)
  CUSET_FP8_INTEGER(unsigned long long)
#undef CUSET_FP8_INTEGER
  __host__ __device__ explicit operator char() const { return to_integer<char>(value(), kToZero); }
  __host__ __device__ explicit operator signed char() const {
    return to_integer<signed char>(value(), kToZero);
  }
  __host__ __device__ explicit operator unsigned char() const {
    return to_integer<unsigned char>(value(), kToZero);
  }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fu) != 0; }
  __host__ __device__ explicit operator float() const { return value(); }
  __host__ __device__ explicit operator double() const { return value(); }
  __host__ __device__ explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kFormat); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(value()); }

 private:
  __host__ __device__ float value() const { return fp8_to_float(__x, kFormat); }
};

template <__nv_fp8_interpretation_t kFormat>
struct __align__(2) Float8Pair {
  __nv_fp8x2_storage_t __x;

  Float8Pair() = default;
  __host__ __device__ explicit Float8Pair(double2 x)
      : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kFormat)) {}
  __host__ __device__ explicit Float8Pair(float2 x) : Float8Pair(double2{x.x, x.y}) {}
  __host__ __device__ explicit Float8Pair(__half2 x)
      : Float8Pair(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  __host__ __device__ explicit Float8Pair(__nv_bfloat162 x)
      : Float8Pair(float2{static_cast<float>(x.x), static_cast<float>(x.y)}) {}
  __host__ __device__ explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kFormat); }
  __host__ __device__ explicit operator float2() const {
    return float2{fp8_to_float(static_cast<unsigned char>(__x), kFormat),
                  fp8_to_float(static_cast<unsigned char>(__x >> 8), kFormat)};
  }
};

template <__nv_fp8_interpretation_t kFormat>
struct __align__(4) Float8Quad {
  __nv_fp8x4_storage_t __x;

  Float8Quad() = default;
  __host__ __device__ explicit Float8Quad(double4 x) : Float8Quad(double2{x.x, x.y}, double2{x.z, x.w}) {}
  __host__ __device__ explicit Float8Quad(float4 x) : Float8Quad(float2{x.x, x.y}, float2{x.z, x.w}) {}
  __host__ __device__ explicit Float8Quad(__half2 low, __half2 high) : __x(joined(low, high)) {}
  __host__ __device__ explicit Float8Quad(__nv_bfloat162 low, __nv_bfloat162 high) : __x(joined(low, high)) {}
  __host__ __device__ explicit operator float4() const {
    Float8Pair<kFormat> low, high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 first(low), second(high);
    return float4{first.x, first.y, second.x, second.y};
  }

 private:
  template <class Pair>
  __host__ __device__ Float8Quad(Pair low, Pair high) : __x(joined(low, high)) {}
  template <class Pair>
  __host__ __device__ static __nv_fp8x4_storage_t joined(Pair low, Pair high) {
    return Float8Pair<kFormat>(low).__x | static_cast<__nv_fp8x4_storage_t>(Float8Pair<kFormat>(high).__x)
                                              << 16;
  }
};

}  // namespace cuset_emulator

#define CUSET_FP8_TYPE(name, ...) \
  struct name : __VA_ARGS__ {     \
    typedef __VA_ARGS__ Base;     \
    using Base::Base;             \
    name() = default;             \
  };
CUSET_FP8_TYPE(__nv_fp8_e4m3, cuset_emulator::Float8<__NV_E4M3>)
CUSET_FP8_TYPE(__nv_fp8_e5m2, cuset_emulator::Float8<__NV_E5M2>)
CUSET_FP8_TYPE(__nv_fp8x2_e4m3, cuset_emulator::Float8Pair<__NV_E4M3>)
CUSET_FP8_TYPE(__nv_fp8x2_e5m2, cuset_emulator::Float8Pair<__NV_E5M2>)
CUSET_FP8_TYPE(__nv_fp8x4_e4m3, cuset_emulator::Float8Quad<__NV_E4M3>)
CUSET_FP8_TYPE(__nv_fp8x4_e5m2, cuset_emulator::Float8Quad<__NV_E5M2>)
#undef CUSET_FP8_TYPE
