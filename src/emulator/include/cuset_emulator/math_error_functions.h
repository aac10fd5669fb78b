// Error functions and their inverses: erfinv, erfcinv, erfcx, normcdf, normcdfinv. Inverses start from an
// estimate and take Halley steps in long double; those of float are computed by those of double.
#pragma once

#include "cuset_emulator/c_library.h"

namespace cuset_emulator {

// exp(x^2) erfc(x); beyond 20 the asymptotic series, whose terms shrink fast there.
CUSET_BOTH_FUNCTION long double scaled_erfc(long double x) {
  if (!(x >= 20)) return ::expl(x * x) * ::erfcl(x);
  long double sum = 1, term = 1;
  for (int k = 1; k < 20; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum * 0.564189583547756286948079451560772586L / x;
}

// y > 0 with erfc(y) = tail for tail in (0, 1]: the error of log erfc(y) keeps its digits in the far tail.
CUSET_BOTH_FUNCTION long double inverse_of_tail(long double tail) {
  const long double logarithm = ::logl(tail);
  // Winitzki's formula, good to some per mille.
  const long double bend = 2 / (3.14159265358979323846L * 0.147L);
  const long double inner = ::logl(tail * (2 - tail));
  const long double half = bend + inner / 2;
  long double y = __builtin_sqrtl(__builtin_sqrtl(half * half - inner / 0.147L) - half);
  for (int step = 0; step < 3; ++step) {
    const long double scaled = scaled_erfc(y);
    const long double slope = -1.12837916709551257389615890312154517L / scaled;  // of log erfc
    const long double newton = (::logl(scaled) - y * y - logarithm) / slope;
    y -= newton / (1 + newton * (y + slope / 2));
  }
  return y;
}

// y with erf(y) = x for |x| <= 1/2, where erf itself keeps all digits.
CUSET_BOTH_FUNCTION long double inverse_of_erf(long double x) {
  long double y = x * (0.886226925452758L + x * x * 0.232013666534655L);
  for (int step = 0; step < 3; ++step) {
    const long double newton = (::erfl(y) - x) * ::expl(y * y) * 0.886226925452758013649083741670572592L;
    y -= newton / (1 + y * newton);
  }
  return y;
}

CUSET_BOTH_FUNCTION double erfinv_of(double x) {
  const double size = __builtin_fabs(x);
  if (!(size < 1)) return size == 1 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
  if (x == 0) return x;
  const long double result = size <= 0.5 ? inverse_of_erf(size) : inverse_of_tail(1.0L - size);
  return __builtin_copysign(static_cast<double>(result), x);
}

CUSET_BOTH_FUNCTION long double erfcinv_of(double x) {
  if (!(x >= 0 && x <= 2)) return __builtin_nan("");
  if (x == 0) return __builtin_inf();
  if (x == 2) return -__builtin_inf();
  if (x >= 0.5 && x <= 1.5) return inverse_of_erf(1.0L - x);
  return x < 1 ? inverse_of_tail(x) : -inverse_of_tail(2.0L - x);
}

CUSET_BOTH_FUNCTION double normcdf_of(double x) {
  return static_cast<double>(0.5L * ::erfcl(-0.707106781186547524400844362104849039L * x));
}

CUSET_BOTH_FUNCTION double normcdfinv_of(double p) {
  if (!(p >= 0 && p <= 1)) return __builtin_nan("");
  return static_cast<double>(-1.41421356237309504880168872420969808L * erfcinv_of(2 * p) + 0.0L);  // never -0
}

}  // namespace cuset_emulator

#define CUSET_ERROR_FUNCTION(name, function)                                                             \
  CUSET_BOTH_FUNCTION double name(double x) { return static_cast<double>(cuset_emulator::function(x)); } \
  CUSET_BOTH_FUNCTION float name##f(float x) { return static_cast<float>(cuset_emulator::function(x)); } \
  CUSET_BOTH_FUNCTION float name(float x) { return name##f(x); }

CUSET_ERROR_FUNCTION(erfinv, erfinv_of)
CUSET_ERROR_FUNCTION(erfcinv, erfcinv_of)
CUSET_ERROR_FUNCTION(erfcx, scaled_erfc)
CUSET_ERROR_FUNCTION(normcdf, normcdf_of)
CUSET_ERROR_FUNCTION(normcdfinv, normcdfinv_of)

#undef CUSET_ERROR_FUNCTION
