// make_int2(x, y) and its family.
#pragma once

#include "cuset_emulator/vector_types.h"

#define CUSET_MAKE_VECTORS(name, type)                                                             \
  CUSET_BOTH_FUNCTION name##1 make_##name##1(type x) { return name##1 {x}; }                       \
  CUSET_BOTH_FUNCTION name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }            \
  CUSET_BOTH_FUNCTION name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; } \
  CUSET_BOTH_FUNCTION name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }

CUSET_MAKE_VECTORS(char, signed char)
CUSET_MAKE_VECTORS(uchar, unsigned char)
CUSET_MAKE_VECTORS(short, short)
CUSET_MAKE_VECTORS(ushort, unsigned short)
CUSET_MAKE_VECTORS(int, int)
CUSET_MAKE_VECTORS(uint, unsigned int)
CUSET_MAKE_VECTORS(long, long int)
CUSET_MAKE_VECTORS(ulong, unsigned long int)
CUSET_MAKE_VECTORS(longlong, long long int)
CUSET_MAKE_VECTORS(ulonglong, unsigned long long int)
CUSET_MAKE_VECTORS(float, float)
CUSET_MAKE_VECTORS(double, double)

#undef CUSET_MAKE_VECTORS
