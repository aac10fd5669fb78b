// Arithmetic with a named rounding, __fadd_rn to __dsqrt_rd, and the fast approximations. Operations named
// _rn are never contracted into a fused multiply-add.
#pragma once

#include "cuset_emulator/rounding.h"

#define CUSET_DIRECTED(prefix, type, suffix, rounding)                                        \
  CUSET_BOTH_FUNCTION type prefix##add_##suffix(type a, type b) {                             \
    return cuset_emulator::add_rounded(a, b, cuset_emulator::rounding);                       \
  }                                                                                           \
  CUSET_BOTH_FUNCTION type prefix##sub_##suffix(type a, type b) {                             \
    return cuset_emulator::add_rounded(a, -b, cuset_emulator::rounding);                      \
  }                                                                                           \
  CUSET_BOTH_FUNCTION type prefix##mul_##suffix(type a, type b) {                             \
    return cuset_emulator::multiply_rounded(a, b, cuset_emulator::rounding);                  \
  }                                                                                           \
  CUSET_BOTH_FUNCTION type prefix##div_##suffix(type a, type b) {                             \
    return cuset_emulator::divide_rounded(a, b, cuset_emulator::rounding);                    \
  }                                                                                           \
  CUSET_BOTH_FUNCTION type prefix##rcp_##suffix(type x) {                                     \
    return cuset_emulator::divide_rounded(static_cast<type>(1), x, cuset_emulator::rounding); \
  }                                                                                           \
  CUSET_BOTH_FUNCTION type prefix##sqrt_##suffix(type x) {                                    \
    return cuset_emulator::sqrt_rounded(x, cuset_emulator::rounding);                         \
  }

#define CUSET_TO_NEAREST(prefix, type)                                                                       \
  CUSET_BOTH_FUNCTION type prefix##add_rn(type a, type b) { return cuset_emulator::uncontracted_sum(a, b); } \
  CUSET_BOTH_FUNCTION type prefix##sub_rn(type a, type b) {                                                  \
    return cuset_emulator::uncontracted_sum(a, -b);                                                          \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION type prefix##mul_rn(type a, type b) {                                                  \
    return cuset_emulator::uncontracted_product(a, b);                                                       \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION type prefix##div_rn(type a, type b) { return a / b; }                                  \
  CUSET_BOTH_FUNCTION type prefix##rcp_rn(type x) { return 1 / x; }                                          \
  CUSET_BOTH_FUNCTION type prefix##sqrt_rn(type x) { return cuset_emulator::square_root(x); }

namespace cuset_emulator {

template <class T>
CUSET_BOTH_FUNCTION T uncontracted_sum(T a, T b) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  return a + b;
}

template <class T>
CUSET_BOTH_FUNCTION T uncontracted_product(T a, T b) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  return a * b;
}

}  // namespace cuset_emulator

CUSET_TO_NEAREST(__f, float)
CUSET_DIRECTED(__f, float, rz, kToZero)
CUSET_DIRECTED(__f, float, ru, kUp)
CUSET_DIRECTED(__f, float, rd, kDown)
CUSET_TO_NEAREST(__d, double)
CUSET_DIRECTED(__d, double, rz, kToZero)
CUSET_DIRECTED(__d, double, ru, kUp)
CUSET_DIRECTED(__d, double, rd, kDown)

#undef CUSET_TO_NEAREST
#undef CUSET_DIRECTED

CUSET_BOTH_FUNCTION float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUSET_BOTH_FUNCTION double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

#define CUSET_FMA(suffix, rounding)                                         \
  CUSET_BOTH_FUNCTION float __fmaf_##suffix(float a, float b, float c) {    \
    return cuset_emulator::fma_rounded(a, b, c, cuset_emulator::rounding);  \
  }                                                                         \
  CUSET_BOTH_FUNCTION double __fma_##suffix(double a, double b, double c) { \
    return cuset_emulator::fma_rounded(a, b, c, cuset_emulator::rounding);  \
  }

CUSET_FMA(rz, kToZero)
CUSET_FMA(ru, kUp)
CUSET_FMA(rd, kDown)

#undef CUSET_FMA

CUSET_BOTH_FUNCTION float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

CUSET_BOTH_FUNCTION float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// As documented: for 2^126 < |b| < 2^128 the result is 0, or NaN for an infinite a.
CUSET_BOTH_FUNCTION float __fdividef(float a, float b) {
  const float size = __builtin_fabsf(b);
  if (size > 0x1p126f && size <= 3.402823466e38f) return a * 0.0f;
  return a / b;
}

// The C library declares these names without offering them, hence macros.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __tanhf tanhf
#define __sincosf sincosf
