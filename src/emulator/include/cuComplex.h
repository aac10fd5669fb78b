// Complex numbers as pairs: cuFloatComplex is float2, cuDoubleComplex is double2. Quotients and sizes are
// scaled so that they do not overflow on the way.
#pragma once
#define CU_COMPLEX_H_  // NVIDIA's include guard

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// `f` is the suffix of the float versions, empty for double.
#define CUSET_COMPLEX(Complex, Real, f)                                                                      \
  CUSET_BOTH_FUNCTION Real cuCreal##f(Complex x) { return x.x; }                                             \
  CUSET_BOTH_FUNCTION Real cuCimag##f(Complex x) { return x.y; }                                             \
  CUSET_BOTH_FUNCTION Complex make_##Complex(Real real, Real imaginary) { return Complex{real, imaginary}; } \
  CUSET_BOTH_FUNCTION Complex cuConj##f(Complex x) { return Complex{x.x, -x.y}; }                            \
  CUSET_BOTH_FUNCTION Complex cuCadd##f(Complex a, Complex b) { return Complex{a.x + b.x, a.y + b.y}; }      \
  CUSET_BOTH_FUNCTION Complex cuCsub##f(Complex a, Complex b) { return Complex{a.x - b.x, a.y - b.y}; }      \
  CUSET_BOTH_FUNCTION Complex cuCmul##f(Complex a, Complex b) {                                              \
    return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                            \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION Complex cuCdiv##f(Complex a, Complex b) {                                              \
    const Real scale = 1 / (::fabs##f(b.x) + ::fabs##f(b.y));                                                \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                       \
    const Real inverse = 1 / (bx * bx + by * by);                                                            \
    return Complex{(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                            \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION Real cuCabs##f(Complex x) { return ::hypot##f(x.x, x.y); }

CUSET_COMPLEX(cuFloatComplex, float, f)
CUSET_COMPLEX(cuDoubleComplex, double, )

#undef CUSET_COMPLEX

CUSET_BOTH_FUNCTION cuComplex make_cuComplex(float real, float imaginary) {
  return cuComplex{real, imaginary};
}
CUSET_BOTH_FUNCTION cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return cuDoubleComplex{x.x, x.y};
}
CUSET_BOTH_FUNCTION cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return cuFloatComplex{static_cast<float>(x.x), static_cast<float>(x.y)};
}
CUSET_BOTH_FUNCTION cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}
CUSET_BOTH_FUNCTION cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
