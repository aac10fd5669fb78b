// Directed rounding and conversions of the emulator's headers against the CPU's own rounding modes.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "cuset_emulator/conversion_intrinsics.h"
#include "cuset_emulator/float_intrinsics.h"

namespace {

template <class T>
T any_number(std::mt19937_64& random) {
  typedef typename cuset_emulator::FloatTraits<T>::Bits Bits;
  const auto bits = static_cast<Bits>(random());
  switch (random() % 8) {
    case 0:
      return static_cast<T>(static_cast<int>(random() % 9) - 4);
    case 1:
      return std::numeric_limits<T>::infinity() * (random() % 2 ? 1 : -1);
    case 2:
      return std::numeric_limits<T>::denorm_min() * static_cast<T>(random() % 100);
    case 3:
      return std::numeric_limits<T>::max() * (random() % 2 ? 1 : -1);
    case 4:
    case 5:
      return static_cast<T>(
          std::ldexp(static_cast<double>(random() >> 11), -50 - static_cast<int>(random() % 8)));
    default:
      return cuset_emulator::same_bits<T>(bits);
  }
}

// NaNs are all alike; zeros are told apart.
template <class T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Runs `operation` under a rounding mode of the CPU; volatile keeps it from being computed anywhere else.
template <class T, class Operation>
T under(int mode, Operation operation, T a, T b, T c) {
  volatile T x = a, y = b, z = c;
  std::fesetround(mode);
  volatile T result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T, class Ours, class Operation>
void expect_rounding(const char* name, int mode, Ours ours, Operation operation) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 8000; ++i) {
    const T a = any_number<T>(random), b = random() % 16 ? any_number<T>(random) : -a,
            c = any_number<T>(random);
    const T want = under<T>(mode, operation, a, b, c), got = ours(a, b, c);
    ASSERT_TRUE(same(got, want)) << name << std::hexfloat << " of " << a << ", " << b << ", " << c << " is "
                                 << got << ", wanted " << want;
  }
}

#define EXPECT_ROUNDINGS(T, prefix, fma_name, suffix, mode)                              \
  expect_rounding<T>(                                                                    \
      "sum", mode, [](T a, T b, T) { return prefix##add_##suffix(a, b); },               \
      [](T a, T b, T) { return a + b; });                                                \
  expect_rounding<T>(                                                                    \
      "difference", mode, [](T a, T b, T) { return prefix##sub_##suffix(a, b); },        \
      [](T a, T b, T) { return a - b; });                                                \
  expect_rounding<T>(                                                                    \
      "product", mode, [](T a, T b, T) { return prefix##mul_##suffix(a, b); },           \
      [](T a, T b, T) { return a * b; });                                                \
  expect_rounding<T>(                                                                    \
      "quotient", mode, [](T a, T b, T) { return prefix##div_##suffix(a, b); },          \
      [](T a, T b, T) { return a / b; });                                                \
  expect_rounding<T>(                                                                    \
      "reciprocal", mode, [](T a, T, T) { return prefix##rcp_##suffix(a); },             \
      [](T a, T, T) { return 1 / a; });                                                  \
  expect_rounding<T>(                                                                    \
      "root", mode, [](T a, T, T) { return prefix##sqrt_##suffix(a); },                  \
      [](T a, T, T) { return std::sqrt(a); });                                           \
  expect_rounding<T>(                                                                    \
      "fused product", mode, [](T a, T b, T c) { return fma_name##_##suffix(a, b, c); }, \
      [](T a, T b, T c) { return std::fma(a, b, c); })

TEST(FloatIntrinsics, FloatToNearest) { EXPECT_ROUNDINGS(float, __f, __fmaf, rn, FE_TONEAREST); }
TEST(FloatIntrinsics, FloatTowardsZero) { EXPECT_ROUNDINGS(float, __f, __fmaf, rz, FE_TOWARDZERO); }
TEST(FloatIntrinsics, FloatUpwards) { EXPECT_ROUNDINGS(float, __f, __fmaf, ru, FE_UPWARD); }
TEST(FloatIntrinsics, FloatDownwards) { EXPECT_ROUNDINGS(float, __f, __fmaf, rd, FE_DOWNWARD); }
TEST(FloatIntrinsics, DoubleToNearest) { EXPECT_ROUNDINGS(double, __d, __fma, rn, FE_TONEAREST); }
TEST(FloatIntrinsics, DoubleTowardsZero) { EXPECT_ROUNDINGS(double, __d, __fma, rz, FE_TOWARDZERO); }
TEST(FloatIntrinsics, DoubleUpwards) { EXPECT_ROUNDINGS(double, __d, __fma, ru, FE_UPWARD); }
TEST(FloatIntrinsics, DoubleDownwards) { EXPECT_ROUNDINGS(double, __d, __fma, rd, FE_DOWNWARD); }

template <class To, class From, class Ours>
void expect_conversion(int mode, Ours ours) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 8000; ++i) {
    const From x = static_cast<From>(random() >> random() % (8 * sizeof(From)));
    volatile From given = x;
    std::fesetround(mode);
    volatile To want = static_cast<To>(given);
    std::fesetround(FE_TONEAREST);
    ASSERT_EQ(ours(x), static_cast<To>(want)) << +x;
  }
}

TEST(Conversions, IntegersToFloatInEveryDirection) {
  expect_conversion<float, int>(FE_UPWARD, [](int x) { return __int2float_ru(x); });
  expect_conversion<float, int>(FE_DOWNWARD, [](int x) { return __int2float_rd(x); });
  expect_conversion<float, unsigned>(FE_TOWARDZERO, [](unsigned x) { return __uint2float_rz(x); });
  expect_conversion<float, long long>(FE_UPWARD, [](long long x) { return __ll2float_ru(x); });
  expect_conversion<float, long long>(FE_TONEAREST, [](long long x) { return __ll2float_rn(x); });
  expect_conversion<double, long long>(FE_DOWNWARD, [](long long x) { return __ll2double_rd(x); });
  expect_conversion<double, long long>(FE_TOWARDZERO, [](long long x) { return __ll2double_rz(x); });
}

TEST(Conversions, DoublesToFloatInEveryDirection) {
  EXPECT_EQ(__double2float_ru(1.0 + 1e-12), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(__double2float_rd(1.0 + 1e-12), 1.0f);
  EXPECT_EQ(__double2float_rz(-1.0 - 1e-12), -1.0f);
  EXPECT_EQ(__double2float_rd(1e300), std::numeric_limits<float>::max());
  EXPECT_EQ(__double2float_ru(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(__double2float_ru(1e-300), std::numeric_limits<float>::denorm_min());
}

TEST(Conversions, IntegersSaturateAndRound) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(3.5f), 4);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rd(-2.1f), -3);
  EXPECT_EQ(__float2int_rz(-2.9f), -2);
  EXPECT_EQ(__float2int_rz(1e10f), std::numeric_limits<int>::max());
  EXPECT_EQ(__float2int_rz(-infinity), std::numeric_limits<int>::min());
  EXPECT_EQ(__float2uint_rz(-1.0f), 0u);
  EXPECT_EQ(__float2uint_rn(4294967296.0f), std::numeric_limits<unsigned>::max());
  EXPECT_EQ(__float2uint_rz(3e9f), 3000000000u);
  EXPECT_EQ(__float2ll_rz(9.3e18f), std::numeric_limits<long long>::max());
  EXPECT_EQ(__double2ll_rz(-9.3e18), std::numeric_limits<long long>::min());
  EXPECT_EQ(__double2ull_rz(1.8e19), 18000000000000000000ull);
  EXPECT_EQ(__double2ull_rz(1.9e19), std::numeric_limits<unsigned long long>::max());
  EXPECT_EQ(__double2int_rn(2147483647.5), std::numeric_limits<int>::max());
  EXPECT_EQ(__double2int_rn(2147483646.5), 2147483646);
}

TEST(Conversions, NotANumberByWidth) {
  EXPECT_EQ(__float2int_rz(std::nanf("")), 0);
  EXPECT_EQ(__float2uint_rz(std::nanf("")), 0u);
  EXPECT_EQ(__float2ll_rz(std::nanf("")), std::numeric_limits<long long>::min());
  EXPECT_EQ(__double2int_rz(std::nan("")), std::numeric_limits<int>::min());
  EXPECT_EQ(__double2ull_rz(std::nan("")), 1ull << 63);
}

TEST(FloatIntrinsics, FastDivisionVanishesForHugeDivisors) {
  EXPECT_EQ(__fdividef(6.0f, 3.0f), 2.0f);
  EXPECT_EQ(__fdividef(6.0f, 0x1p126f), 6.0f / 0x1p126f);
  EXPECT_EQ(__fdividef(6.0f, 0x1p127f), 0.0f);
  EXPECT_TRUE(std::isnan(__fdividef(std::numeric_limits<float>::infinity(), 0x1p127f)));
}

TEST(FloatIntrinsics, SaturationMapsNotANumberToZero) {
  EXPECT_EQ(__saturatef(std::nanf("")), 0.0f);
  EXPECT_EQ(__saturatef(7.0f), 1.0f);
  EXPECT_EQ(__saturatef(0.25f), 0.25f);
}

}  // namespace
