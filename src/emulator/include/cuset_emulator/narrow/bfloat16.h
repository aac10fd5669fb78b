// bfloat16: the types and the conversions that carry its name.
#pragma once

#include "cuset_emulator/narrow/narrow_device.h"
#include "cuset_emulator/narrow/narrow_pair.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __align__(4) __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

namespace cuset_emulator {

struct Bfloat16Format {
  typedef double Wide;
  __host__ __device__ static float to_float(unsigned short bits) { return bfloat16_to_float(bits); }
  __host__ __device__ static unsigned short from_float(float x) { return float_to_bfloat16(x); }
};

}  // namespace cuset_emulator

struct __nv_bfloat16 : cuset_emulator::NarrowNumber<cuset_emulator::Bfloat16Format> {
  using NarrowNumber::NarrowNumber;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) { __x = raw.x; }
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
  __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return cuset_emulator::same_bits<__nv_bfloat162_raw>(*this);
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

CUSET_NARROW_SCALAR(__nv_bfloat16)
CUSET_NARROW_PAIR(__nv_bfloat16, __nv_bfloat162)
CUSET_NARROW_DEVICE(__nv_bfloat16, __nv_bfloat162)

namespace cuset_emulator {

CUSET_BOTH_FUNCTION __nv_bfloat16 bfloat16_from(double x, Rounding rounding) {
  return narrow_of_bits<__nv_bfloat16>(double_to_bfloat16(x, rounding));
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16(const float x) { return __nv_bfloat16(x); }
CUSET_BOTH_FUNCTION __nv_bfloat16 __double2bfloat16(const double x) { return __nv_bfloat16(x); }
CUSET_BOTH_FUNCTION float __bfloat162float(const __nv_bfloat16 x) { return static_cast<float>(x); }

#define CUSET_BFLOAT16_ROUNDING(suffix, rounding)                              \
  CUSET_BOTH_FUNCTION __nv_bfloat16 __float2bfloat16_##suffix(const float x) { \
    return cuset_emulator::bfloat16_from(x, cuset_emulator::rounding);         \
  }                                                                            \
  CUSET_BFLOAT16_INTEGER(int, int, suffix, rounding)                           \
  CUSET_BFLOAT16_INTEGER(uint, unsigned int, suffix, rounding)                 \
  CUSET_BFLOAT16_INTEGER(short, short, suffix, rounding)                       \
  CUSET_BFLOAT16_INTEGER(ushort, unsigned short, suffix, rounding)             \
  CUSET_BFLOAT16_INTEGER(ll, long long, suffix, rounding)                      \
  CUSET_BFLOAT16_INTEGER(ull, unsigned long long, suffix, rounding)

#define CUSET_BFLOAT16_INTEGER(name, type, suffix, rounding)                                            \
  CUSET_BOTH_FUNCTION __nv_bfloat16 __##name##2bfloat16_##suffix(const type x) {                        \
    return cuset_emulator::bfloat16_from(cuset_emulator::exact_or_sticky(x), cuset_emulator::rounding); \
  }                                                                                                     \
  CUSET_BOTH_FUNCTION type __bfloat162##name##_##suffix(const __nv_bfloat16 x) {                        \
    return cuset_emulator::to_integer<type>(static_cast<float>(x), cuset_emulator::rounding);           \
  }

CUSET_BFLOAT16_ROUNDING(rn, kNearest)
CUSET_BFLOAT16_ROUNDING(rz, kToZero)
CUSET_BFLOAT16_ROUNDING(ru, kUp)
CUSET_BFLOAT16_ROUNDING(rd, kDown)

#undef CUSET_BFLOAT16_ROUNDING
#undef CUSET_BFLOAT16_INTEGER

CUSET_BOTH_FUNCTION signed char __bfloat162char_rz(const __nv_bfloat16 x) {
  return static_cast<signed char>(x);
}
CUSET_BOTH_FUNCTION unsigned char __bfloat162uchar_rz(const __nv_bfloat16 x) {
  return static_cast<unsigned char>(x);
}

CUSET_BOTH_FUNCTION short __bfloat16_as_short(const __nv_bfloat16 x) {
  return cuset_emulator::same_bits<short>(x);
}
CUSET_BOTH_FUNCTION unsigned short __bfloat16_as_ushort(const __nv_bfloat16 x) {
  return cuset_emulator::bits_of_narrow(x);
}
CUSET_BOTH_FUNCTION __nv_bfloat16 __short_as_bfloat16(const short x) {
  return cuset_emulator::same_bits<__nv_bfloat16>(x);
}
CUSET_BOTH_FUNCTION __nv_bfloat16 __ushort_as_bfloat16(const unsigned short x) {
  return cuset_emulator::same_bits<__nv_bfloat16>(x);
}

CUSET_BOTH_FUNCTION __nv_bfloat162 make_bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 x) {
  return __nv_bfloat162(x, x);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __float2bfloat162_rn(const float x) {
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __floats2bfloat162_rn(const float low, const float high) {
  return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high));
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __float22bfloat162_rn(const float2 x) {
  return __nv_bfloat162(__nv_bfloat16(x.x), __nv_bfloat16(x.y));
}
CUSET_BOTH_FUNCTION float2 __bfloat1622float2(const __nv_bfloat162 x) {
  return float2{static_cast<float>(x.x), static_cast<float>(x.y)};
}
CUSET_BOTH_FUNCTION float __low2float(const __nv_bfloat162 x) { return static_cast<float>(x.x); }
CUSET_BOTH_FUNCTION float __high2float(const __nv_bfloat162 x) { return static_cast<float>(x.y); }
CUSET_BOTH_FUNCTION __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 x) { return x.x; }
CUSET_BOTH_FUNCTION __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 x) { return x.y; }
CUSET_BOTH_FUNCTION __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.x, x.x);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.y, x.y);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
CUSET_BOTH_FUNCTION __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.y, x.x);
}

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fffU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7fU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80U))
