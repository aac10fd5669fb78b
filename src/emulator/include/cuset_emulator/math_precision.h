// Functions of the C library that are less accurate than CUDA promises for double (1 unit in the last place):
// device code gets them in long double. Only the device pass renames them; host code keeps the library's.
// Part of c_library.h.
#pragma once

#include "cuset_emulator/qualifiers.h"

#if defined(CUSET_DEVICE_PASS)

#define CUSET_PRECISE(name, expression)                                                        \
  extern "C" __host__ __device__ double name(double) noexcept __asm__("cuset_precise_" #name); \
  extern "C" __device__ __attribute__((used)) inline double cuset_precise_##name(double x) {   \
    return static_cast<double>(expression);                                                    \
  }

CUSET_PRECISE(cbrt, ::cbrtl(x))
CUSET_PRECISE(cosh, ::coshl(x))
CUSET_PRECISE(tanh, ::tanhl(x))
CUSET_PRECISE(log10, ::log10l(x))
CUSET_PRECISE(exp10, ::exp10l(x))

#undef CUSET_PRECISE

#endif
