// Half and bfloat16 of the emulator's headers against a reference that knows only the list of a format's
// values: the nearest one, the next above or below, is searched there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cuset_emulator/narrow/bfloat16.h"
#include "cuset_emulator/narrow/half.h"

namespace {

using cuset_emulator::kDown;
using cuset_emulator::kNearest;
using cuset_emulator::kToZero;
using cuset_emulator::kUp;
using cuset_emulator::Quad;
using cuset_emulator::Rounding;

// All non-negative finite values of a format by their bits, and where rounding to nearest becomes infinity.
class Format {
 public:
  Format(int exponent_bits, int fraction_bits) : infinity_(((1u << exponent_bits) - 1) << fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (unsigned bits = 0; bits < infinity_; ++bits) {
      const int exponent = static_cast<int>(bits >> fraction_bits);
      const int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
      const double scale = std::ldexp(1.0, (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
      values_.push_back(scale * (exponent == 0 ? fraction : fraction + (1 << fraction_bits)));
    }
    values_.push_back(values_.back() * 2 - values_[values_.size() - 2]);  // the value after the last one
  }

  unsigned short round(Quad x, bool negative, Rounding rounding) const {
    const Quad size = x < 0 ? -x : x;
    const unsigned sign = negative ? 0x8000u : 0u;
    const auto above =
        std::lower_bound(values_.begin(), values_.end(), size, [](double v, Quad s) { return v < s; });
    const bool away = rounding == (negative ? kDown : kUp);
    const bool toward = rounding == kToZero || rounding == (negative ? kUp : kDown);
    if (above == values_.end())
      return static_cast<unsigned short>(sign | (toward ? infinity_ - 1 : infinity_));
    unsigned bits = static_cast<unsigned>(above - values_.begin());
    if (*above != size) {
      const Quad up = *above - size, down = size - values_[bits - 1];
      if (toward || (!away && (down < up || (down == up && bits % 2 == 1)))) --bits;
    }
    if (bits == infinity_ && toward) --bits;
    return static_cast<unsigned short>(sign | bits);
  }

  double value(unsigned bits) const { return values_[bits]; }
  unsigned infinity() const { return infinity_; }

 private:
  unsigned infinity_;
  std::vector<double> values_;
};

const Format& half_format() {
  static const Format format(5, 10);
  return format;
}
const Format& bfloat16_format() {
  static const Format format(8, 7);
  return format;
}

template <class N>
unsigned short bits(N x) {
  return cuset_emulator::bits_of_narrow(x);
}
template <class N>
N number(unsigned b) {
  return cuset_emulator::narrow_of_bits<N>(b);
}

template <class N>
void expect_widening(const Format& format) {
  for (unsigned b = 0; b < format.infinity(); ++b) {
    ASSERT_EQ(static_cast<double>(static_cast<float>(number<N>(b))), format.value(b)) << b;
    ASSERT_EQ(static_cast<double>(static_cast<float>(number<N>(b | 0x8000u))), -format.value(b)) << b;
  }
  EXPECT_EQ(static_cast<float>(number<N>(format.infinity())), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(static_cast<float>(number<N>(0x7fffu))));
}

TEST(Half, WidensExactly) { expect_widening<__half>(half_format()); }
TEST(Bfloat16, WidensExactly) { expect_widening<__nv_bfloat16>(bfloat16_format()); }

// Bits of a random float: every exponent is as likely as any other.
float any_float(std::mt19937& random) {
  float x;
  do x = cuset_emulator::same_bits<float>(static_cast<unsigned>(random()));
  while (std::isnan(x) || std::isinf(x));
  return x;
}

// Floats at, between and beside the values of the format.
std::vector<float> telling_floats(const Format& format) {
  std::mt19937 random(7);
  std::vector<float> floats{0.0f, -0.0f, 65504.0f, 65519.996f, 65520.0f, 3.4e38f, -3.4e38f, 1e-45f, 1e-30f};
  for (int i = 0; i < 3000; ++i) {
    const unsigned b = random() % (format.infinity() - 1);
    const float middle = static_cast<float>((format.value(b) + format.value(b + 1)) / 2);
    for (const float x : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e30f)}) {
      floats.push_back(random() % 2 ? x : -x);
    }
    floats.push_back(any_float(random));
  }
  return floats;
}

template <class Convert>
void expect_narrowing(const Format& format, Rounding rounding, Convert convert) {
  for (const float x : telling_floats(format)) {
    ASSERT_EQ(bits(convert(x)), format.round(x, std::signbit(x), rounding)) << std::hexfloat << x;
  }
}

TEST(Half, RoundsFloatsInEveryDirection) {
  expect_narrowing(half_format(), kNearest, [](float x) { return __float2half(x); });
  expect_narrowing(half_format(), kNearest, [](float x) { return __float2half_rn(x); });
  expect_narrowing(half_format(), kToZero, [](float x) { return __float2half_rz(x); });
  expect_narrowing(half_format(), kUp, [](float x) { return __float2half_ru(x); });
  expect_narrowing(half_format(), kDown, [](float x) { return __float2half_rd(x); });
}

TEST(Bfloat16, RoundsFloatsInEveryDirection) {
  expect_narrowing(bfloat16_format(), kNearest, [](float x) { return __float2bfloat16(x); });
  expect_narrowing(bfloat16_format(), kNearest, [](float x) { return __float2bfloat16_rn(x); });
  expect_narrowing(bfloat16_format(), kToZero, [](float x) { return __float2bfloat16_rz(x); });
  expect_narrowing(bfloat16_format(), kUp, [](float x) { return __float2bfloat16_ru(x); });
  expect_narrowing(bfloat16_format(), kDown, [](float x) { return __float2bfloat16_rd(x); });
}

TEST(Half, NotANumberHasOnePattern) {
  EXPECT_EQ(bits(__float2half(std::numeric_limits<float>::quiet_NaN())), 0x7fffu);
  EXPECT_EQ(bits(__hadd(number<__half>(0xfe01u), __half(1.0f))), 0x7fffu);
  EXPECT_EQ(bits(__hsub(number<__half>(0x7c00u), number<__half>(0x7c00u))), 0x7fffu);
  EXPECT_EQ(bits(__hmax(number<__half>(0x7fffu), __half(2.0f))), bits(__half(2.0f)));
  EXPECT_EQ(bits(__hmax_nan(number<__half>(0x7fffu), __half(2.0f))), 0x7fffu);
}

TEST(Half, DoublesRoundOnce) {
  // In two steps, through float, both would end at the even neighbor.
  EXPECT_EQ(bits(__double2half(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))), 0x3c01u);
  EXPECT_EQ(bits(__double2half(1.0 + std::ldexp(3.0, -11) - std::ldexp(1.0, -40))), 0x3c01u);
}

// Sums, products, quotients and fused products of random numbers: the exact result, rounded once.
template <class N>
void expect_arithmetic(const Format& format, unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&] { return number<N>((random() % format.infinity()) | (random() & 0x8000u)); };
  const auto near_one = [&] {
    return N((1.0f + static_cast<float>(random() % 4096) / 2048) * (random() % 2 ? 1 : -1));
  };
  for (int i = 0; i < 25000; ++i) {
    const N a = i % 2 ? any() : near_one(), b = i % 2 ? any() : near_one(),
            c = i % 4 < 2 ? any() : near_one();
    const Quad x = static_cast<float>(a), y = static_cast<float>(b), z = static_cast<float>(c);
    const auto expect = [&](const char* what, N got, Quad exact) {
      if (exact == 0) return;
      ASSERT_EQ(bits(got), format.round(exact, exact < 0, kNearest))
          << what << " of " << static_cast<float>(a) << ", " << static_cast<float>(b) << ", "
          << static_cast<float>(c);
    };
    expect("sum", __hadd(a, b), x + y);
    expect("difference", __hsub(a, b), x - y);
    expect("product", __hmul(a, b), x * y);
    if (y != 0) expect("quotient", __hdiv(a, b), x / y);
    // Where the summands lie too far apart for 113 bits, the reference itself would round.
    const Quad product = x * y, sum = product + z;
    if (sum - product == z && sum - z == product) expect("fused product", __hfma(a, b, c), sum);
  }
}

TEST(Half, ArithmeticRoundsOnce) { expect_arithmetic<__half>(half_format(), 1); }
TEST(Bfloat16, ArithmeticRoundsOnce) { expect_arithmetic<__nv_bfloat16>(bfloat16_format(), 2); }

TEST(Bfloat16, FusedProductSeesTinySummand) {
  // The product lies exactly between two values; the summand breaks the tie.
  const __nv_bfloat16 a(1.0f + 0x1p-4f), b(1.0f + 0x1p-4f);  // 1 + 2^-3 + 2^-8
  EXPECT_EQ(static_cast<float>(__hfma(a, b, __nv_bfloat16(0.0f))), 1.125f);
  EXPECT_EQ(static_cast<float>(__hfma(a, b, __nv_bfloat16(0x1p-100f))), 1.125f + 0x1p-7f);
  EXPECT_EQ(static_cast<float>(__hfma(a, b, __nv_bfloat16(-0x1p-100f))), 1.125f);
}

TEST(Half, IntegersSaturate) {
  EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(__half(2.25f)), 3);
  EXPECT_EQ(__half2int_rd(__half(-2.25f)), -3);
  EXPECT_EQ(__half2short_rz(number<__half>(0x7bffu)), 32767);
  EXPECT_EQ(__half2ushort_rz(__half(-3.0f)), 0);
  EXPECT_EQ(__half2int_rz(number<__half>(0x7fffu)), 0);
  EXPECT_EQ(__half2int_rz(number<__half>(0x7c00u)), std::numeric_limits<int>::max());
  EXPECT_EQ(bits(__int2half_rn(2049)), bits(__half(2048.0f)));
  EXPECT_EQ(bits(__int2half_ru(2049)), bits(__half(2050.0f)));
  EXPECT_EQ(bits(__int2half_rz(1 << 30)), 0x7bffu);
}

TEST(Bfloat16, LargeIntegersRoundOnce) {
  // 2^62 + 2^54 lies halfway; the lowest bit decides.
  EXPECT_EQ(static_cast<float>(__ll2bfloat16_rn((1ll << 62) + (1ll << 54))), 0x1p62f);
  EXPECT_EQ(static_cast<float>(__ll2bfloat16_rn((1ll << 62) + (1ll << 54) + 1)), 0x1p62f + 0x1p55f);
}

TEST(Half, PairsComputePartByPart) {
  const __half2 a = __floats2half2_rn(1.5f, -2.0f), b = __floats2half2_rn(0.25f, 8.0f);
  EXPECT_EQ(__low2float(__hadd2(a, b)), 1.75f);
  EXPECT_EQ(__high2float(a * b), -16.0f);
  EXPECT_EQ(__high2float(__hfma2(a, b, a)), -18.0f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(a)), -2.0f);
  EXPECT_EQ(__hgt2_mask(a, b), 0x0000ffffu);
  EXPECT_FALSE(__hbgt2(a, b));
}

}  // namespace
