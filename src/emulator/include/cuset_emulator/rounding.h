// Directed rounding without touching the CPU's rounding mode: an operation is computed in a wider type,
// rounded to nearest, and moved by one step where the rest points the other way.
//
// The wide type of float is double, that of double is __float128: products are exact there, and sums leave a
// rest that is known exactly (Knuth's two-sum), so that `value + rest` is the true result.
#pragma once

#include "cuset_emulator/c_library.h"
#include "cuset_emulator/integer_intrinsics.h"

namespace cuset_emulator {

enum Rounding { kNearest, kToZero, kUp, kDown };

__extension__ typedef __float128 Quad;

template <class T>
struct FloatTraits;
template <>
struct FloatTraits<float> {
  typedef unsigned int Bits;
  typedef double Wide;
};
template <>
struct FloatTraits<double> {
  typedef unsigned long long Bits;
  typedef Quad Wide;
};

// The neighbor of a finite or infinite value that is not moved past infinity by the callers below.
template <class T>
CUSET_BOTH_FUNCTION T next_above(T x) {
  typedef typename FloatTraits<T>::Bits Bits;
  const Bits sign = static_cast<Bits>(1) << (8 * sizeof(T) - 1);
  const Bits bits = same_bits<Bits>(x);
  if (bits == sign) return same_bits<T>(static_cast<Bits>(1));
  return same_bits<T>(bits & sign ? bits - 1 : bits + 1);
}

template <class T>
CUSET_BOTH_FUNCTION T next_below(T x) {
  return -next_above(-x);
}

// `value + rest` as a T, where |rest| is at most half a unit in the last place of `value`.
template <class T, class Wide>
CUSET_BOTH_FUNCTION T round_sum(Wide value, Wide rest, Rounding rounding) {
  T result = static_cast<T>(value);
  if (rounding == kNearest) return result;
  const Wide difference = value - static_cast<Wide>(result);
  // Of the true result against `result`; NaN moves nothing
  const Wide error = difference != 0 ? difference : rest;
  const bool down = rounding == kDown || (rounding == kToZero && value > 0);
  const bool up = rounding == kUp || (rounding == kToZero && value < 0);
  if (down && error < 0) result = next_below(result);
  if (up && error > 0) result = next_above(result);
  return result;
}

template <class T, class Wide>
CUSET_BOTH_FUNCTION T round_exact(Wide value, Rounding rounding) {
  return round_sum<T>(value, static_cast<Wide>(0), rounding);
}

// a + b for wide values, with the sign that zero has in each direction.
template <class T, class Wide>
CUSET_BOTH_FUNCTION T add_wide(Wide a, Wide b, Rounding rounding) {
  const Wide sum = a + b;
  const Wide b_part = sum - a;
  Wide rest = (a - (sum - b_part)) + (b - b_part);
  if (!(rest == rest)) rest = 0;  // of infinities
  const T result = round_sum<T>(sum, rest, rounding);
  const bool cancelled = sum == 0 && rest == 0 && a != 0;
  const bool signs_differ =
      a == 0 && b == 0 && __builtin_signbit(static_cast<T>(a)) != __builtin_signbit(static_cast<T>(b));
  return rounding == kDown && (cancelled || signs_differ) ? -static_cast<T>(0) : result;
}

template <class T>
CUSET_BOTH_FUNCTION T add_rounded(T a, T b, Rounding rounding) {
  typedef typename FloatTraits<T>::Wide Wide;
  return add_wide<T>(static_cast<Wide>(a), static_cast<Wide>(b), rounding);
}

template <class T>
CUSET_BOTH_FUNCTION T multiply_rounded(T a, T b, Rounding rounding) {
  typedef typename FloatTraits<T>::Wide Wide;
  return round_exact<T>(static_cast<Wide>(a) * static_cast<Wide>(b), rounding);
}

template <class T>
CUSET_BOTH_FUNCTION T fma_rounded(T a, T b, T c, Rounding rounding) {
  typedef typename FloatTraits<T>::Wide Wide;
  return add_wide<T>(static_cast<Wide>(a) * static_cast<Wide>(b), static_cast<Wide>(c), rounding);
}

// A quotient that is no T lies further from every T than the wide type's error, so rounding twice does no
// harm.
template <class T>
CUSET_BOTH_FUNCTION T divide_rounded(T a, T b, Rounding rounding) {
  typedef typename FloatTraits<T>::Wide Wide;
  return round_exact<T>(static_cast<Wide>(a) / static_cast<Wide>(b), rounding);
}

CUSET_BOTH_FUNCTION float square_root(float x) { return __builtin_sqrtf(x); }
CUSET_BOTH_FUNCTION double square_root(double x) { return __builtin_sqrt(x); }

template <class T>
CUSET_BOTH_FUNCTION T sqrt_rounded(T x, Rounding rounding) {
  typedef typename FloatTraits<T>::Wide Wide;
  const T root = square_root(x);
  const Wide remainder = static_cast<Wide>(x) - static_cast<Wide>(root) * static_cast<Wide>(root);
  if (rounding == kUp && remainder > 0) return next_above(root);
  if ((rounding == kDown || rounding == kToZero) && remainder < 0) return next_below(root);
  return root;
}

}  // namespace cuset_emulator
