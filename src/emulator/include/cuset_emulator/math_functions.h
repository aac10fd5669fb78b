// CUDA's mathematical functions that the C library lacks. Those of float are computed in double.
#pragma once

#include "cuset_emulator/c_library.h"

CUSET_BOTH_FUNCTION float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
CUSET_BOTH_FUNCTION double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
CUSET_BOTH_FUNCTION float fdividef(float a, float b) { return a / b; }
