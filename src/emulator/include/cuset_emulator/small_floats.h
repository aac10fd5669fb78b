// Floating-point formats narrower than float: half (5 exponent bits, 10 of fraction), bfloat16 (8, 7), and of
// 8 bits e4m3 (4, 3; no infinities, one NaN) and e5m2 (5, 2).
// Conversions of bits, exact or rounded once. NaN becomes the format's NaN with all other bits set, as on the
// device.
#pragma once

#include "cuset_emulator/rounding.h"

namespace cuset_emulator {

CUSET_BOTH_FUNCTION float half_to_float(unsigned short bits) {
  const unsigned int magnitude = static_cast<unsigned int>(bits & 0x7fffu) << 13;
  const float scaled = same_bits<float>(magnitude) * 0x1p112f;  // exact, also for subnormal halves
  const unsigned int special = same_bits<unsigned int>(scaled) | 0x7f800000u;
  const unsigned int finite = same_bits<unsigned int>(scaled);
  const unsigned int sign = static_cast<unsigned int>(bits & 0x8000u) << 16;
  return same_bits<float>(((bits & 0x7c00u) == 0x7c00u ? special : finite) | sign);
}

// To nearest. Adding a power of two lets the adder round the fraction of results below 2^-14.
CUSET_BOTH_FUNCTION unsigned short float_to_half(float x) {
  const unsigned int bits = same_bits<unsigned int>(x);
  const unsigned int magnitude = bits & 0x7fffffffu;
  const unsigned int sign = bits >> 16 & 0x8000u;
  const unsigned int normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  const unsigned int subnormal = same_bits<unsigned int>(same_bits<float>(magnitude) + 0.5f) - 0x3f000000u;
  unsigned int result = magnitude < 0x38800000u ? subnormal : normal;
  if (magnitude >= 0x477ff000u) result = 0x7c00u;
  return static_cast<unsigned short>(magnitude > 0x7f800000u ? 0x7fffu : result | sign);
}

CUSET_BOTH_FUNCTION float bfloat16_to_float(unsigned short bits) {
  return same_bits<float>(static_cast<unsigned int>(bits) << 16);
}

CUSET_BOTH_FUNCTION unsigned short float_to_bfloat16(float x) {
  const unsigned int bits = same_bits<unsigned int>(x);
  const unsigned int rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return static_cast<unsigned short>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

// e5m2 is the upper half of a half.
CUSET_BOTH_FUNCTION float e5m2_to_float(unsigned char bits) {
  return half_to_float(static_cast<unsigned short>(bits << 8));
}

CUSET_BOTH_FUNCTION float e4m3_to_float(unsigned char bits) {
  const unsigned int sign = static_cast<unsigned int>(bits & 0x80u) << 24;
  if ((bits & 0x7fu) == 0x7fu) return same_bits<float>(sign | 0x7fffffffu);
  const float scaled = same_bits<float>(static_cast<unsigned int>(bits & 0x7fu) << 20) * 0x1p120f;
  return same_bits<float>(same_bits<unsigned int>(scaled) | sign);
}

// How `fraction`, whose lowest `dropped` bits are to go, rounds.
CUSET_BOTH_FUNCTION bool rounds_away(unsigned long long fraction, int dropped, bool negative,
                                     Rounding rounding) {
  const unsigned long long rest = fraction & ((1ull << dropped) - 1);
  if (rest == 0 || rounding == kToZero) return false;
  if (rounding == kUp) return !negative;
  if (rounding == kDown) return negative;
  const unsigned long long middle = 1ull << (dropped - 1);
  return rest > middle || (rest == middle && (fraction >> dropped & 1u));
}

// A double as the bits of the format with these numbers of exponent and fraction bits, rounded once.
template <int kExponentBits, int kFractionBits>
CUSET_BOTH_FUNCTION unsigned short pack_double(double x, Rounding rounding) {
  const unsigned int infinity = ((1u << kExponentBits) - 1) << kFractionBits;
  const unsigned long long bits = same_bits<unsigned long long>(x);
  const bool negative = bits >> 63;
  const unsigned int sign = static_cast<unsigned int>(negative) << (kExponentBits + kFractionBits);
  if (!(x == x)) return static_cast<unsigned short>((1u << (kExponentBits + kFractionBits)) - 1);
  if ((bits << 1) == 0xffe0000000000000ull) return static_cast<unsigned short>(infinity | sign);
  if ((bits << 1) == 0) return static_cast<unsigned short>(sign);
  const int bias = (1 << (kExponentBits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ffu) - 1023 + bias;
  // What a double's subnormals hold is far below every narrow format: only that they are not 0 matters.
  const unsigned long long fraction = (bits & 0xfffffffffffffull) | 1ull << 52;
  int dropped = 52 - kFractionBits + (exponent < 1 ? 1 - exponent : 0);
  if (dropped > 55) dropped = 55;
  const unsigned int kept = static_cast<unsigned int>(fraction >> dropped);
  const unsigned int base = exponent < 1 ? 0u : static_cast<unsigned int>(exponent - 1) << kFractionBits;
  unsigned int result = exponent > 2 * bias ? infinity : base + kept;
  if (result < infinity && rounds_away(fraction, dropped, negative, rounding)) ++result;
  const bool away_from_infinity = rounding == kToZero || rounding == (negative ? kUp : kDown);
  if (result >= infinity && away_from_infinity) result = infinity - 1;
  return static_cast<unsigned short>(result > infinity ? infinity | sign : result | sign);
}

CUSET_BOTH_FUNCTION unsigned short double_to_half(double x, Rounding rounding) {
  return pack_double<5, 10>(x, rounding);
}
CUSET_BOTH_FUNCTION unsigned short double_to_bfloat16(double x, Rounding rounding) {
  return pack_double<8, 7>(x, rounding);
}

// A double as a float that rounds on to a narrow format as the double itself would ("rounding to odd": what
// is not exact has its last bit set).
CUSET_BOTH_FUNCTION float odd_float(double x) {
  const float nearest = static_cast<float>(x);
  const bool exact = static_cast<double>(nearest) == x || !(x == x);
  if (exact || (same_bits<unsigned int>(nearest) & 1u)) return nearest;
  return static_cast<double>(nearest) < x ? next_above(nearest) : next_below(nearest);
}

// a * b + c of narrow formats as a double that rounds to any of them as the true value does: where the sum is
// not exact, its last bit is set ("rounding to odd").
CUSET_BOTH_FUNCTION double fma_for_narrow(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double c_part = sum - product;
  const double rest = (product - (sum - c_part)) + (c - c_part);
  if (!(rest != 0) || (same_bits<unsigned long long>(sum) & 1u)) return sum;
  if (!(rest == rest)) return sum;
  return rest > 0 ? next_above(sum) : next_below(sum);
}

}  // namespace cuset_emulator
