// A 16-bit floating-point number as programs see it: __half and __nv_bfloat16 derive from this with their
// formats. Arithmetic is that of wider types: float has more than twice the digits of both formats, so
// results do not suffer from being rounded twice; bfloat16 shares float's small exponents, so its products
// and quotients go through double.
#pragma once

#include "cuset_emulator/conversion_intrinsics.h"
#include "cuset_emulator/float_intrinsics.h"
#include "cuset_emulator/small_floats.h"

namespace cuset_emulator {

// 64-bit integers as doubles that round on to narrow formats as they would themselves: lost bits set the last
// one.
CUSET_BOTH_FUNCTION double sticky_double(unsigned long long x) {
  if (x >> 53 == 0) return static_cast<double>(x);
  const unsigned long long lost = x & 0xfffu;
  return static_cast<double>((x ^ lost) | (lost != 0 ? 0x1000u : 0u));
}
CUSET_BOTH_FUNCTION double sticky_double(long long x) {
  const unsigned long long size = static_cast<unsigned long long>(x);
  return x < 0 ? -sticky_double(0 - size) : sticky_double(size);
}

template <class Integer>
CUSET_BOTH_FUNCTION double exact_or_sticky(Integer x) {
  typedef typename std::conditional<(static_cast<Integer>(-1) < static_cast<Integer>(0)), long long,
                                    unsigned long long>::type Wide;
  return sticky_double(static_cast<Wide>(x));
}

template <class Format>
class NarrowNumber {
 public:
  typedef typename Format::Wide Wide;

  NarrowNumber() = default;
  __host__ __device__ NarrowNumber(float x) : __x(Format::from_float(x)) {}
  __host__ __device__ NarrowNumber(double x) : __x(Format::from_float(odd_float(x))) {}
#define CUSET_FROM_INTEGER(type) \
  __host__ __device__ NarrowNumber(type x) : __x(Format::from_float(odd_float(exact_or_sticky(x)))) {}
  CUSET_FROM_INTEGER(short)
  CUSET_FROM_INTEGER(unsigned short)
  CUSET_FROM_INTEGER(int)
  CUSET_FROM_INTEGER(unsigned int)
  CUSET_FROM_INTEGER(long)
  CUSET_FROM_INTEGER(unsigned long)
  CUSET_FROM_INTEGER(long long)
  CUSET_FROM_INTEGER(unsigned long long)
#undef CUSET_FROM_INTEGER

  __host__ __device__ operator float() const { return Format::to_float(__x); }
  __host__ __device__ operator bool() const { return (__x & 0x7fffu) != 0; }
#define CUSET_TO_INTEGER(type) \
  __host__ __device__ operator type() const { return to_integer<type>(Format::to_float(__x), kToZero); }
  CUSET_TO_INTEGER(char)
  CUSET_TO_INTEGER(signed char)
  CUSET_TO_INTEGER(unsigned char)
  CUSET_TO_INTEGER(short)
  CUSET_TO_INTEGER(unsigned short)
  CUSET_TO_INTEGER(int)
  CUSET_TO_INTEGER(unsigned int)
  CUSET_TO_INTEGER(long)
  CUSET_TO_INTEGER(unsigned long)
  CUSET_TO_INTEGER(long long)
  CUSET_TO_INTEGER(unsigned long long)
#undef CUSET_TO_INTEGER

 protected:
  unsigned short __x;
};

template <class N>
CUSET_BOTH_FUNCTION N narrow_of_bits(unsigned int bits) {
  return same_bits<N>(static_cast<unsigned short>(bits));
}
template <class N>
CUSET_BOTH_FUNCTION unsigned short bits_of_narrow(N x) {
  return same_bits<unsigned short>(x);
}
template <class N>
CUSET_BOTH_FUNCTION float as_float(N x) {
  return static_cast<float>(x);
}

template <class N>
CUSET_BOTH_FUNCTION N narrow_add(N a, N b) {
  return N(uncontracted_sum(as_float(a), as_float(b)));
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_multiply(N a, N b) {
  typedef typename N::Wide Wide;
  return N(static_cast<Wide>(as_float(a)) * static_cast<Wide>(as_float(b)));
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_divide(N a, N b) {
  typedef typename N::Wide Wide;
  return N(static_cast<Wide>(as_float(a)) / static_cast<Wide>(as_float(b)));
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_fma(N a, N b, N c) {
  return N(fma_for_narrow(as_float(a), as_float(b), as_float(c)));
}

// Of a NaN and a number the number; zeros are ordered by sign.
template <class N>
CUSET_BOTH_FUNCTION N narrow_max(N a, N b) {
  const float x = as_float(a), y = as_float(b);
  if (!(x == x)) return y == y ? b : narrow_of_bits<N>(0x7fffu);
  if (x == 0 && y == 0) return narrow_of_bits<N>(bits_of_narrow(a) & bits_of_narrow(b));
  return !(y == y) || x > y ? a : b;
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_min(N a, N b) {
  const float x = as_float(a), y = as_float(b);
  if (!(x == x)) return y == y ? b : narrow_of_bits<N>(0x7fffu);
  if (x == 0 && y == 0) return narrow_of_bits<N>(bits_of_narrow(a) | bits_of_narrow(b));
  return !(y == y) || x < y ? a : b;
}

template <class N>
CUSET_BOTH_FUNCTION bool narrow_is_nan(N x) {
  return as_float(x) != as_float(x);
}
template <class N>
CUSET_BOTH_FUNCTION N nan_if_any(N a, N b, N otherwise) {
  return narrow_is_nan(a) || narrow_is_nan(b) ? narrow_of_bits<N>(0x7fffu) : otherwise;
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_saturate(N x) {
  const float value = as_float(x);
  return value > 0 ? (value < 1 ? x : N(1.0f)) : N(0.0f);
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_relu(N x) {
  if (narrow_is_nan(x)) return narrow_of_bits<N>(0x7fffu);
  return as_float(x) > 0 ? x : N(0.0f);
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_negate(N x) {
  return narrow_is_nan(x) ? narrow_of_bits<N>(0x7fffu) : narrow_of_bits<N>(bits_of_narrow(x) ^ 0x8000u);
}
template <class N>
CUSET_BOTH_FUNCTION N narrow_abs(N x) {
  return narrow_of_bits<N>(bits_of_narrow(x) & 0x7fffu);
}

}  // namespace cuset_emulator
