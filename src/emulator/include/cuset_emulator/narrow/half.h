// Half precision: the types and the conversions that carry its name.
#pragma once

#include "cuset_emulator/narrow/narrow_device.h"
#include "cuset_emulator/narrow/narrow_pair.h"

struct __half_raw {
  unsigned short x;
};

struct __align__(4) __half2_raw {
  unsigned short x;
  unsigned short y;
};

namespace cuset_emulator {

struct HalfFormat {
  typedef float Wide;
  __host__ __device__ static float to_float(unsigned short bits) { return half_to_float(bits); }
  __host__ __device__ static unsigned short from_float(float x) { return float_to_half(x); }
};

}  // namespace cuset_emulator

struct __half : cuset_emulator::NarrowNumber<cuset_emulator::HalfFormat> {
  using NarrowNumber::NarrowNumber;
  __half() = default;
  __host__ __device__ __half(__half_raw raw) { __x = raw.x; }
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
};

struct __align__(4) __half2 {
  __half x;
  __half y;
  __half2() = default;
  __host__ __device__ __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return cuset_emulator::same_bits<__half2_raw>(*this); }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;

CUSET_NARROW_SCALAR(__half)
CUSET_NARROW_PAIR(__half, __half2)
CUSET_NARROW_DEVICE(__half, __half2)

namespace cuset_emulator {

CUSET_BOTH_FUNCTION __half half_from(double x, Rounding rounding) {
  return narrow_of_bits<__half>(double_to_half(x, rounding));
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION __half __float2half(const float x) { return __half(x); }
CUSET_BOTH_FUNCTION __half __double2half(const double x) { return __half(x); }
CUSET_BOTH_FUNCTION float __half2float(const __half x) { return static_cast<float>(x); }

#define CUSET_HALF_ROUNDING(suffix, rounding)                       \
  CUSET_BOTH_FUNCTION __half __float2half_##suffix(const float x) { \
    return cuset_emulator::half_from(x, cuset_emulator::rounding);  \
  }                                                                 \
  CUSET_HALF_INTEGER(int, int, suffix, rounding)                    \
  CUSET_HALF_INTEGER(uint, unsigned int, suffix, rounding)          \
  CUSET_HALF_INTEGER(short, short, suffix, rounding)                \
  CUSET_HALF_INTEGER(ushort, unsigned short, suffix, rounding)      \
  CUSET_HALF_INTEGER(ll, long long, suffix, rounding)               \
  CUSET_HALF_INTEGER(ull, unsigned long long, suffix, rounding)

#define CUSET_HALF_INTEGER(name, type, suffix, rounding)                                            \
  CUSET_BOTH_FUNCTION __half __##name##2half_##suffix(const type x) {                               \
    return cuset_emulator::half_from(cuset_emulator::exact_or_sticky(x), cuset_emulator::rounding); \
  }                                                                                                 \
  CUSET_BOTH_FUNCTION type __half2##name##_##suffix(const __half x) {                               \
    return cuset_emulator::to_integer<type>(static_cast<float>(x), cuset_emulator::rounding);       \
  }

CUSET_HALF_ROUNDING(rn, kNearest)
CUSET_HALF_ROUNDING(rz, kToZero)
CUSET_HALF_ROUNDING(ru, kUp)
CUSET_HALF_ROUNDING(rd, kDown)

#undef CUSET_HALF_ROUNDING
#undef CUSET_HALF_INTEGER

CUSET_BOTH_FUNCTION signed char __half2char_rz(const __half x) { return static_cast<signed char>(x); }
CUSET_BOTH_FUNCTION unsigned char __half2uchar_rz(const __half x) { return static_cast<unsigned char>(x); }

CUSET_BOTH_FUNCTION short __half_as_short(const __half x) { return cuset_emulator::same_bits<short>(x); }
CUSET_BOTH_FUNCTION unsigned short __half_as_ushort(const __half x) {
  return cuset_emulator::bits_of_narrow(x);
}
CUSET_BOTH_FUNCTION __half __short_as_half(const short x) { return cuset_emulator::same_bits<__half>(x); }
CUSET_BOTH_FUNCTION __half __ushort_as_half(const unsigned short x) {
  return cuset_emulator::same_bits<__half>(x);
}

CUSET_BOTH_FUNCTION __half2 make_half2(const __half low, const __half high) { return __half2(low, high); }
CUSET_BOTH_FUNCTION __half2 __halves2half2(const __half low, const __half high) { return __half2(low, high); }
CUSET_BOTH_FUNCTION __half2 __half2half2(const __half x) { return __half2(x, x); }
CUSET_BOTH_FUNCTION __half2 __float2half2_rn(const float x) { return __half2(__half(x), __half(x)); }
CUSET_BOTH_FUNCTION __half2 __floats2half2_rn(const float low, const float high) {
  return __half2(__half(low), __half(high));
}
CUSET_BOTH_FUNCTION __half2 __float22half2_rn(const float2 x) { return __half2(__half(x.x), __half(x.y)); }
CUSET_BOTH_FUNCTION float2 __half22float2(const __half2 x) {
  return float2{static_cast<float>(x.x), static_cast<float>(x.y)};
}
CUSET_BOTH_FUNCTION float __low2float(const __half2 x) { return static_cast<float>(x.x); }
CUSET_BOTH_FUNCTION float __high2float(const __half2 x) { return static_cast<float>(x.y); }
CUSET_BOTH_FUNCTION __half __low2half(const __half2 x) { return x.x; }
CUSET_BOTH_FUNCTION __half __high2half(const __half2 x) { return x.y; }
CUSET_BOTH_FUNCTION __half2 __low2half2(const __half2 x) { return __half2(x.x, x.x); }
CUSET_BOTH_FUNCTION __half2 __high2half2(const __half2 x) { return __half2(x.y, x.y); }
CUSET_BOTH_FUNCTION __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
CUSET_BOTH_FUNCTION __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }
CUSET_BOTH_FUNCTION __half2 __lowhigh2highlow(const __half2 x) { return __half2(x.y, x.x); }

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fffU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bffU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00U))
