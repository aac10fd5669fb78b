// The 16-bit floating-point formats: float16 (IEEE 754 binary16) and bfloat16 (the upper half of a float32).
//
// Both are sign, exponent with bias, mantissa, like a double but narrower, so one template does for them. A
// double is rounded once, straight to the format: going through float32 would round twice.
#pragma once

#include <bit>
#include <cstdint>

namespace cuset::tasks {

template <int kExponentBits, int kMantissaBits>
struct SmallFloat {
  static_assert(1 + kExponentBits + kMantissaBits == 16);
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kShift = 52 - kMantissaBits;
  static constexpr uint16_t kInfinity = ((1 << kExponentBits) - 1) << kMantissaBits;
  static constexpr uint64_t kSign = uint64_t{1} << 63;

  uint16_t bits;

  static SmallFloat from(double value);
  double to_double() const;

 private:
  static constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
  }
};

using Float16 = SmallFloat<5, 10>;
using Bfloat16 = SmallFloat<8, 7>;

// To nearest, ties to even; what is too large becomes infinite, what is too small a signed zero.
template <int kExponentBits, int kMantissaBits>
SmallFloat<kExponentBits, kMantissaBits> SmallFloat<kExponentBits, kMantissaBits>::from(double value) {
  const uint64_t wide = std::bit_cast<uint64_t>(value);
  const uint64_t size = wide & ~kSign;
  const auto sign = static_cast<uint16_t>((wide >> 63) << 15);
  constexpr uint64_t kWideInfinity = uint64_t{0x7FF} << 52;
  if (size > kWideInfinity) return {static_cast<uint16_t>(sign | kInfinity | (1 << (kMantissaBits - 1)))};
  constexpr uint64_t kSmallestNormal = static_cast<uint64_t>(1024 - kBias) << 52;
  if (size < kSmallestNormal) {
    // Added to this power of two, the double's last place is the format's smallest step.
    constexpr double kStep = power_of_two(1 - kBias - kMantissaBits + 52);
    const double sum = std::bit_cast<double>(size) + kStep;
    return {static_cast<uint16_t>(sign | (std::bit_cast<uint64_t>(sum) - std::bit_cast<uint64_t>(kStep)))};
  }
  const uint64_t even = (size >> kShift) & 1;
  const uint64_t rounded = (size + (uint64_t{1} << (kShift - 1)) - 1 + even) >> kShift;
  const uint64_t rebiased = rounded - (static_cast<uint64_t>(1023 - kBias) << kMantissaBits);
  return {static_cast<uint16_t>(sign | (rebiased < kInfinity ? rebiased : kInfinity))};
}

// Exact. Shifted into a double's places the number is 2^(1023 - bias) too small, subnormals too.
template <int kExponentBits, int kMantissaBits>
double SmallFloat<kExponentBits, kMantissaBits>::to_double() const {
  const uint64_t sign = static_cast<uint64_t>(bits >> 15) << 63;
  const uint64_t size = static_cast<uint64_t>(bits & 0x7FFF) << kShift;
  const bool finite = (bits & kInfinity) != kInfinity;
  const double scaled = std::bit_cast<double>(size) * power_of_two(1023 - kBias);
  const uint64_t wide = finite ? std::bit_cast<uint64_t>(scaled) : size | uint64_t{0x7FF} << 52;
  return std::bit_cast<double>(wide | sign);
}

}  // namespace cuset::tasks
