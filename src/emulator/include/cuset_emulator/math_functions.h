// CUDA's mathematical functions that the C library lacks, and its overloads for float. Computed in the next
// wider type, long double for double, which leaves one rounding.
#pragma once

#include "cuset_emulator/c_library.h"

// Newer C libraries bring some of the names themselves.
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 41)
#define CUSET_LIBRARY_HAS_PI_FUNCTIONS
#endif
#if __GLIBC_PREREQ(2, 42)
#define CUSET_LIBRARY_HAS_RSQRT
#endif
#endif

namespace cuset_emulator {

// sin and cos of pi x: whole quarters of a turn are taken off exactly, so that only |t| <= 1/4 is multiplied
// by pi. Infinity and NaN have no quarter (NaN as an int is undefined) and give NaN.
struct PiAngle {
  int quarter;  // of a full turn, 0..3
  long double sine;
  long double cosine;
};

CUSET_BOTH_FUNCTION PiAngle pi_angle(double x) {
  if (!__builtin_isfinite(x)) return PiAngle{0, __builtin_nanl(""), __builtin_nanl("")};
  const double turns = x - 2.0 * __builtin_rint(0.5 * x);  // exact, in [-1, 1]
  const double quarter = __builtin_rint(2.0 * turns);
  const long double angle = 3.14159265358979323846264338327950288L * (turns - 0.5 * quarter);
  return PiAngle{static_cast<int>(quarter) & 3, __builtin_sinl(angle), __builtin_cosl(angle)};
}

CUSET_BOTH_FUNCTION double sine_of_pi(double x) {
  if (x == __builtin_rint(x) && !__builtin_isinf(x)) return __builtin_copysign(0.0, x);
  const PiAngle angle = pi_angle(x);
  const long double part = angle.quarter & 1 ? angle.cosine : angle.sine;
  return static_cast<double>(angle.quarter & 2 ? -part : part);
}

CUSET_BOTH_FUNCTION double cosine_of_pi(double x) {
  const PiAngle angle = pi_angle(x);
  const long double part = angle.quarter & 1 ? angle.sine : angle.cosine;
  const bool negative = angle.quarter == 1 || angle.quarter == 2;
  return static_cast<double>(part == 0 ? 0 : negative ? -part : part);
}

// The length of a vector without overflow on the way; an infinite part wins over NaN.
template <class Float, class Wide>
CUSET_BOTH_FUNCTION Wide length_of(int count, const Float* parts) {
  Wide sum = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || __builtin_isinf(parts[i]);
    sum += static_cast<Wide>(parts[i]) * static_cast<Wide>(parts[i]);
  }
  return infinite ? static_cast<Wide>(__builtin_inf()) : static_cast<Wide>(__builtin_sqrtl(sum));
}

// Modified Bessel functions of order 0 and 1: the power series, and for large x the asymptotic one.
CUSET_BOTH_FUNCTION double bessel_i(int order, double x) {
  const long double size = __builtin_fabs(x);
  long double sum = 1, term = 1;
  if (!(size >= 40)) {
    term = order == 0 ? 1 : size / 2;
    sum = term;
    for (int k = 1; term > sum * 1e-21L; ++k)
      sum += term *= size * size / 4 / (static_cast<long double>(k) * (k + order));
  } else {
    const long double square = 4.0L * order * order;
    for (int k = 1; k < 40 && __builtin_fabsl(term) > 1e-21L; ++k) {
      const long double odd = 2 * k - 1;
      sum += term *= -(square - odd * odd) / (8 * k * size);
    }
    sum *= ::expl(size) / __builtin_sqrtl(6.28318530717958647692528676655900577L * size);
  }
  return static_cast<double>(order == 1 && x < 0 ? -sum : sum);
}

}  // namespace cuset_emulator

#if !defined(CUSET_LIBRARY_HAS_RSQRT)
CUSET_BOTH_FUNCTION float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
CUSET_BOTH_FUNCTION double rsqrt(double x) { return static_cast<double>(1.0L / __builtin_sqrtl(x)); }
#endif
CUSET_BOTH_FUNCTION float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
CUSET_BOTH_FUNCTION double rcbrt(double x) { return static_cast<double>(1.0L / ::cbrtl(x)); }
CUSET_BOTH_FUNCTION float rcbrtf(float x) { return static_cast<float>(1.0 / ::cbrt(static_cast<double>(x))); }
CUSET_BOTH_FUNCTION float rcbrt(float x) { return rcbrtf(x); }
CUSET_BOTH_FUNCTION float fdividef(float a, float b) { return a / b; }

#if !defined(CUSET_LIBRARY_HAS_PI_FUNCTIONS)
CUSET_BOTH_FUNCTION double sinpi(double x) { return cuset_emulator::sine_of_pi(x); }
CUSET_BOTH_FUNCTION double cospi(double x) { return cuset_emulator::cosine_of_pi(x); }
CUSET_BOTH_FUNCTION float sinpif(float x) { return static_cast<float>(cuset_emulator::sine_of_pi(x)); }
CUSET_BOTH_FUNCTION float cospif(float x) { return static_cast<float>(cuset_emulator::cosine_of_pi(x)); }
#endif
CUSET_BOTH_FUNCTION float sinpi(float x) { return static_cast<float>(cuset_emulator::sine_of_pi(x)); }
CUSET_BOTH_FUNCTION float cospi(float x) { return static_cast<float>(cuset_emulator::cosine_of_pi(x)); }
CUSET_BOTH_FUNCTION void sincospi(double x, double* sine, double* cosine) {
  *sine = cuset_emulator::sine_of_pi(x);
  *cosine = cuset_emulator::cosine_of_pi(x);
}
CUSET_BOTH_FUNCTION void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
CUSET_BOTH_FUNCTION void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
CUSET_BOTH_FUNCTION void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
CUSET_BOTH_FUNCTION float exp10(float x) { return ::exp10f(x); }

CUSET_BOTH_FUNCTION double norm(int count, const double* parts) {
  return static_cast<double>(cuset_emulator::length_of<double, long double>(count, parts));
}
CUSET_BOTH_FUNCTION double rnorm(int count, const double* parts) {
  return static_cast<double>(1.0L / cuset_emulator::length_of<double, long double>(count, parts));
}
CUSET_BOTH_FUNCTION float normf(int count, const float* parts) {
  return static_cast<float>(cuset_emulator::length_of<float, double>(count, parts));
}
CUSET_BOTH_FUNCTION float rnormf(int count, const float* parts) {
  return static_cast<float>(1.0 / cuset_emulator::length_of<float, double>(count, parts));
}

#define CUSET_NORMS(type, suffix)                                            \
  CUSET_BOTH_FUNCTION type rhypot##suffix(type a, type b) {                  \
    const type parts[2] = {a, b};                                            \
    return rnorm##suffix(2, parts);                                          \
  }                                                                          \
  CUSET_BOTH_FUNCTION type norm3d##suffix(type a, type b, type c) {          \
    const type parts[3] = {a, b, c};                                         \
    return norm##suffix(3, parts);                                           \
  }                                                                          \
  CUSET_BOTH_FUNCTION type rnorm3d##suffix(type a, type b, type c) {         \
    const type parts[3] = {a, b, c};                                         \
    return rnorm##suffix(3, parts);                                          \
  }                                                                          \
  CUSET_BOTH_FUNCTION type norm4d##suffix(type a, type b, type c, type d) {  \
    const type parts[4] = {a, b, c, d};                                      \
    return norm##suffix(4, parts);                                           \
  }                                                                          \
  CUSET_BOTH_FUNCTION type rnorm4d##suffix(type a, type b, type c, type d) { \
    const type parts[4] = {a, b, c, d};                                      \
    return rnorm##suffix(4, parts);                                          \
  }

CUSET_NORMS(double, )
CUSET_NORMS(float, f)

#undef CUSET_NORMS

CUSET_BOTH_FUNCTION float rhypot(float a, float b) { return rhypotf(a, b); }
CUSET_BOTH_FUNCTION float norm3d(float a, float b, float c) { return norm3df(a, b, c); }
CUSET_BOTH_FUNCTION float rnorm3d(float a, float b, float c) { return rnorm3df(a, b, c); }
CUSET_BOTH_FUNCTION float norm4d(float a, float b, float c, float d) { return norm4df(a, b, c, d); }
CUSET_BOTH_FUNCTION float rnorm4d(float a, float b, float c, float d) { return rnorm4df(a, b, c, d); }

CUSET_BOTH_FUNCTION double cyl_bessel_i0(double x) { return cuset_emulator::bessel_i(0, x); }
CUSET_BOTH_FUNCTION double cyl_bessel_i1(double x) { return cuset_emulator::bessel_i(1, x); }
CUSET_BOTH_FUNCTION float cyl_bessel_i0f(float x) {
  return static_cast<float>(cuset_emulator::bessel_i(0, x));
}
CUSET_BOTH_FUNCTION float cyl_bessel_i1f(float x) {
  return static_cast<float>(cuset_emulator::bessel_i(1, x));
}
CUSET_BOTH_FUNCTION float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
CUSET_BOTH_FUNCTION float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
CUSET_BOTH_FUNCTION float j0(float x) { return ::j0f(x); }
CUSET_BOTH_FUNCTION float j1(float x) { return ::j1f(x); }
CUSET_BOTH_FUNCTION float jn(int n, float x) { return ::jnf(n, x); }
CUSET_BOTH_FUNCTION float y0(float x) { return ::y0f(x); }
CUSET_BOTH_FUNCTION float y1(float x) { return ::y1f(x); }
CUSET_BOTH_FUNCTION float yn(int n, float x) { return ::ynf(n, x); }
