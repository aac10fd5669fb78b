// Exponentials, logarithms and tanh of float for device code, without branches and calls, so that a loop over threads that uses them
// is vectorized. They compute in double, with an error below 2^-40 before the result is rounded to float: alone or in a vector,
// the bits are the same. The compiler pass puts them in the place of LLVM's intrinsics (pass/library_calls.cc).
// Part of c_library.h.
#pragma once

#include "cuset_emulator/qualifiers.h"

#if defined(CUSET_DEVICE_PASS)

namespace cuset_emulator {

constexpr double kLogOf2 = 0.6931471805599453094;

// 2^t for any t: the nearest whole number goes to the exponent, the rest r into the series of exp(r ln 2).
__device__ inline __attribute__((always_inline)) double power_of_two(double t) {
#pragma clang fp contract(off)
  // Beyond these, all results are infinite or 0; NaN passes.
  t = t < -200.0 ? -200.0 : t;
  t = t > 200.0 ? 200.0 : t;
  const double shifted = t + 0x1.8p52;  // its low bits are the nearest whole number
  const double u = (t - (shifted - 0x1.8p52)) * kLogOf2;
  double sum = 1.0 / 3628800;
  sum = sum * u + 1.0 / 362880;
  sum = sum * u + 1.0 / 40320;
  sum = sum * u + 1.0 / 5040;
  sum = sum * u + 1.0 / 720;
  sum = sum * u + 1.0 / 120;
  sum = sum * u + 1.0 / 24;
  sum = sum * u + 1.0 / 6;
  sum = sum * u + 0.5;
  sum = sum * u + 1.0;
  sum = sum * u + 1.0;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, shifted) + 1023 << 52;
  return sum * __builtin_bit_cast(double, bits);
}

// `per_e` ln x: x is 2^e m with m near 1, and ln m = 2 artanh((m - 1) / (m + 1)), a series in that quotient's square.
__device__ inline __attribute__((always_inline)) float logarithm(float x, double per_e, double per_two) {
#pragma clang fp contract(off)
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, static_cast<double>(x));
  const unsigned long long above = bits - 0x3fe6a09e667f3bcdull;  // counted from the root of 1/2
  const int exponent = static_cast<int>(static_cast<long long>(above) >> 52);
  const double m = __builtin_bit_cast(double, bits - (above & 0xfff0000000000000ull));
  const double quotient = (m - 1.0) / (m + 1.0), square = quotient * quotient;
  double sum = 1.0 / 17;
  sum = sum * square + 1.0 / 15;
  sum = sum * square + 1.0 / 13;
  sum = sum * square + 1.0 / 11;
  sum = sum * square + 1.0 / 9;
  sum = sum * square + 1.0 / 7;
  sum = sum * square + 1.0 / 5;
  sum = sum * square + 1.0 / 3;
  sum = sum * square + 1.0;
  float result = static_cast<float>(exponent * per_two + 2.0 * quotient * sum * per_e);
  result = x < __builtin_inff() ? result : x + x;
  result = x > 0.0f ? result : __builtin_nanf("");
  result = x == 0.0f ? -__builtin_inff() : result;
  return x != x ? x : result;
}

// 1 - 2 / (exp(2 |x|) + 1), or near 0, where that loses digits, the series.
__device__ inline __attribute__((always_inline)) float hyperbolic_tangent(float x) {
#pragma clang fp contract(off)
  const double wide = x, magnitude = wide < 0 ? -wide : wide, square = wide * wide;
  const double large = 1.0 - 2.0 / (power_of_two(magnitude * (2 * 1.4426950408889634074)) + 1.0);
  double sum = 62.0 / 2835;
  sum = sum * square - 17.0 / 315;
  sum = sum * square + 2.0 / 15;
  sum = sum * square - 1.0 / 3;
  const double small = wide * (1.0 + square * sum);
  return static_cast<float>(magnitude < 0.1 ? small : __builtin_copysign(large, wide));
}

}  // namespace cuset_emulator

#define CUSET_INLINE_MATH(name, expression)                                                              \
  extern "C" __device__ __attribute__((used, always_inline)) inline float cuset_inline_##name(float x) { \
    return static_cast<float>(cuset_emulator::expression);                                               \
  }
CUSET_INLINE_MATH(exp, power_of_two(x * 1.4426950408889634074))
CUSET_INLINE_MATH(exp2, power_of_two(x))
CUSET_INLINE_MATH(exp10, power_of_two(x * 3.3219280948873623479))
CUSET_INLINE_MATH(tanh, hyperbolic_tangent(x))
CUSET_INLINE_MATH(log, logarithm(x, 1.0, cuset_emulator::kLogOf2))
CUSET_INLINE_MATH(log2, logarithm(x, 1.4426950408889634074, 1.0))
CUSET_INLINE_MATH(log10, logarithm(x, 0.4342944819032518277, 0.3010299956639811952))
#undef CUSET_INLINE_MATH

#endif
