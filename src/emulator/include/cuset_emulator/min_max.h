// min and max outside of std, for every pair of arithmetic types that CUDA overloads them for.
#pragma once

#include "cuset_emulator/c_library.h"

#if defined(__CUDA__)

#define CUSET_MIN_MAX(result, first, second)                                         \
  CUSET_BOTH_FUNCTION result min(first a, second b) {                                \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a)  \
                                                           : static_cast<result>(b); \
  }                                                                                  \
  CUSET_BOTH_FUNCTION result max(first a, second b) {                                \
    return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a)  \
                                                           : static_cast<result>(b); \
  }

CUSET_MIN_MAX(int, int, int)
CUSET_MIN_MAX(unsigned int, unsigned int, unsigned int)
CUSET_MIN_MAX(unsigned int, int, unsigned int)
CUSET_MIN_MAX(unsigned int, unsigned int, int)
CUSET_MIN_MAX(long, long, long)
CUSET_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUSET_MIN_MAX(unsigned long, long, unsigned long)
CUSET_MIN_MAX(unsigned long, unsigned long, long)
CUSET_MIN_MAX(long long, long long, long long)
CUSET_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUSET_MIN_MAX(unsigned long long, long long, unsigned long long)
CUSET_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef CUSET_MIN_MAX

// Of two values of which one is NaN, the other.
#define CUSET_MIN_MAX_FLOAT(result, first, second, suffix)                                   \
  CUSET_BOTH_FUNCTION result min(first a, second b) { return __builtin_fmin##suffix(a, b); } \
  CUSET_BOTH_FUNCTION result max(first a, second b) { return __builtin_fmax##suffix(a, b); }

CUSET_MIN_MAX_FLOAT(float, float, float, f)
CUSET_MIN_MAX_FLOAT(double, double, double, )
CUSET_MIN_MAX_FLOAT(double, float, double, )
CUSET_MIN_MAX_FLOAT(double, double, float, )

#undef CUSET_MIN_MAX_FLOAT

#define CUSET_INTEGER_MIN_MAX(type, prefix)                                      \
  CUSET_BOTH_FUNCTION type prefix##min(type a, type b) { return a < b ? a : b; } \
  CUSET_BOTH_FUNCTION type prefix##max(type a, type b) { return a > b ? a : b; }

CUSET_INTEGER_MIN_MAX(unsigned int, u)
CUSET_INTEGER_MIN_MAX(long long, ll)
CUSET_INTEGER_MIN_MAX(unsigned long long, ull)

#undef CUSET_INTEGER_MIN_MAX

#endif
