// Conversions between numbers with a named rounding, and reinterpretation of bits. Values beyond an integer's
// range become its nearest end. NaN becomes 0 where float goes to at most 32 bits, else the value with only
// the highest bit set, as the PTX manual says for cvt.
#pragma once

#include "cuset_emulator/rounding.h"

namespace cuset_emulator {

CUSET_BOTH_FUNCTION float round_integral(float x, Rounding rounding) {
  switch (rounding) {
    case kToZero:
      return __builtin_truncf(x);
    case kUp:
      return __builtin_ceilf(x);
    case kDown:
      return __builtin_floorf(x);
    default:
      return __builtin_rintf(x);
  }
}

CUSET_BOTH_FUNCTION double round_integral(double x, Rounding rounding) {
  switch (rounding) {
    case kToZero:
      return __builtin_trunc(x);
    case kUp:
      return __builtin_ceil(x);
    case kDown:
      return __builtin_floor(x);
    default:
      return __builtin_rint(x);
  }
}

template <class Integer, class Float>
CUSET_BOTH_FUNCTION Integer to_integer(Float x, Rounding rounding) {
  const bool nan_is_zero = sizeof(Integer) < 8 && sizeof(Float) == 4;
  const Integer highest_bit = static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
  const Integer least = static_cast<Integer>(-1) < static_cast<Integer>(0) ? highest_bit : 0;
  const Integer greatest = static_cast<Integer>(~least);
  const Float end = 2 * static_cast<Float>(greatest / 2 + 1);  // exact: the first value above the range
  const Float whole = round_integral(x, rounding);
  if (!(x == x)) return nan_is_zero ? 0 : highest_bit;
  if (whole >= end) return greatest;
  if (whole <= static_cast<Float>(least)) return least;
  return static_cast<Integer>(whole);
}

}  // namespace cuset_emulator

#define CUSET_FLOAT_TO_INTEGER(from, from_type, suffix, rounding)                       \
  CUSET_BOTH_FUNCTION int __##from##2int_##suffix(from_type x) {                        \
    return cuset_emulator::to_integer<int>(x, cuset_emulator::rounding);                \
  }                                                                                     \
  CUSET_BOTH_FUNCTION unsigned int __##from##2uint_##suffix(from_type x) {              \
    return cuset_emulator::to_integer<unsigned int>(x, cuset_emulator::rounding);       \
  }                                                                                     \
  CUSET_BOTH_FUNCTION long long __##from##2ll_##suffix(from_type x) {                   \
    return cuset_emulator::to_integer<long long>(x, cuset_emulator::rounding);          \
  }                                                                                     \
  CUSET_BOTH_FUNCTION unsigned long long __##from##2ull_##suffix(from_type x) {         \
    return cuset_emulator::to_integer<unsigned long long>(x, cuset_emulator::rounding); \
  }

// Every integer is exact in __float128.
#define CUSET_TO_FLOAT(name, to_type, from_type, suffix, rounding)                    \
  CUSET_BOTH_FUNCTION to_type name##_##suffix(from_type x) {                          \
    return cuset_emulator::round_exact<to_type>(static_cast<cuset_emulator::Quad>(x), \
                                                cuset_emulator::rounding);            \
  }
#define CUSET_TO_NEAREST_FLOAT(name, to_type, from_type) \
  CUSET_BOTH_FUNCTION to_type name##_rn(from_type x) { return static_cast<to_type>(x); }

#define CUSET_TO_FLOATS(suffix, rounding)                                  \
  CUSET_TO_FLOAT(__double2float, float, double, suffix, rounding)          \
  CUSET_TO_FLOAT(__int2float, float, int, suffix, rounding)                \
  CUSET_TO_FLOAT(__uint2float, float, unsigned int, suffix, rounding)      \
  CUSET_TO_FLOAT(__ll2float, float, long long, suffix, rounding)           \
  CUSET_TO_FLOAT(__ull2float, float, unsigned long long, suffix, rounding) \
  CUSET_TO_FLOAT(__ll2double, double, long long, suffix, rounding)         \
  CUSET_TO_FLOAT(__ull2double, double, unsigned long long, suffix, rounding)

CUSET_FLOAT_TO_INTEGER(float, float, rn, kNearest)
CUSET_FLOAT_TO_INTEGER(double, double, rn, kNearest)
CUSET_FLOAT_TO_INTEGER(float, float, rz, kToZero)
CUSET_FLOAT_TO_INTEGER(double, double, rz, kToZero)
CUSET_FLOAT_TO_INTEGER(float, float, ru, kUp)
CUSET_FLOAT_TO_INTEGER(double, double, ru, kUp)
CUSET_FLOAT_TO_INTEGER(float, float, rd, kDown)
CUSET_FLOAT_TO_INTEGER(double, double, rd, kDown)
CUSET_TO_FLOATS(rz, kToZero)
CUSET_TO_FLOATS(ru, kUp)
CUSET_TO_FLOATS(rd, kDown)
CUSET_TO_NEAREST_FLOAT(__double2float, float, double)
CUSET_TO_NEAREST_FLOAT(__int2float, float, int)
CUSET_TO_NEAREST_FLOAT(__uint2float, float, unsigned int)
CUSET_TO_NEAREST_FLOAT(__ll2float, float, long long)
CUSET_TO_NEAREST_FLOAT(__ull2float, float, unsigned long long)
CUSET_TO_NEAREST_FLOAT(__ll2double, double, long long)
CUSET_TO_NEAREST_FLOAT(__ull2double, double, unsigned long long)
CUSET_TO_NEAREST_FLOAT(__int2double, double, int)
CUSET_TO_NEAREST_FLOAT(__uint2double, double, unsigned int)

#undef CUSET_FLOAT_TO_INTEGER
#undef CUSET_TO_FLOAT
#undef CUSET_TO_NEAREST_FLOAT
#undef CUSET_TO_FLOATS

CUSET_BOTH_FUNCTION int __float_as_int(float x) { return cuset_emulator::same_bits<int>(x); }
CUSET_BOTH_FUNCTION unsigned int __float_as_uint(float x) {
  return cuset_emulator::same_bits<unsigned int>(x);
}
CUSET_BOTH_FUNCTION float __int_as_float(int x) { return cuset_emulator::same_bits<float>(x); }
CUSET_BOTH_FUNCTION float __uint_as_float(unsigned int x) { return cuset_emulator::same_bits<float>(x); }
CUSET_BOTH_FUNCTION long long __double_as_longlong(double x) {
  return cuset_emulator::same_bits<long long>(x);
}
CUSET_BOTH_FUNCTION double __longlong_as_double(long long x) { return cuset_emulator::same_bits<double>(x); }
CUSET_BOTH_FUNCTION int __double2loint(double x) {
  return static_cast<int>(cuset_emulator::same_bits<unsigned long long>(x));
}
CUSET_BOTH_FUNCTION int __double2hiint(double x) {
  return static_cast<int>(cuset_emulator::same_bits<unsigned long long>(x) >> 32);
}
CUSET_BOTH_FUNCTION double __hiloint2double(int high, int low) {
  const unsigned long long bits = static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32;
  return cuset_emulator::same_bits<double>(bits | static_cast<unsigned int>(low));
}
