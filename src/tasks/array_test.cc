#include "tasks/array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/stats/random.h"
#include "tasks/small_float.h"

namespace cuset::tasks {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr NumberType kAllTypes[] = {NumberType::kFloat64,  NumberType::kFloat32, NumberType::kFloat16,
                                    NumberType::kBfloat16, NumberType::kInt64,   NumberType::kInt32,
                                    NumberType::kInt16,    NumberType::kInt8,    NumberType::kUint64,
                                    NumberType::kUint32,   NumberType::kUint16,  NumberType::kUint8,
                                    NumberType::kBool};

double stored(NumberType type, double value) { return Array::from_doubles(type, {}, {value}).at(0); }

TEST(NumberType, NamesLeadBack) {
  for (const NumberType type : kAllTypes) EXPECT_EQ(number_type_named(name_of(type)), type);
  EXPECT_EQ(number_type_named("float"), std::nullopt);
  EXPECT_EQ(name_of(NumberType::kBfloat16), "bfloat16");
  EXPECT_EQ(bytes_of(NumberType::kUint16), 2U);
  EXPECT_FALSE(is_floating(NumberType::kBool));
}

TEST(NumberType, LargestExactWholeIsExactAndTheNextIsNot) {
  for (const NumberType type : kAllTypes) {
    const double most = largest_exact_whole(type);
    EXPECT_EQ(stored(type, most), most) << name_of(type);
    if (bytes_of(type) == 8) continue;
    EXPECT_NE(stored(type, most + 1), most + 1) << name_of(type);
  }
}

TEST(Shape, CountsAndText) {
  EXPECT_EQ(count_of({}), 1U);
  EXPECT_EQ(count_of({4, 3}), 12U);
  EXPECT_EQ(count_of({1LL << 60, 1LL << 60, 0}), 0U);
  EXPECT_EQ(text_of({}), "()");
  EXPECT_EQ(text_of({4}), "(4,)");
  EXPECT_EQ(text_of({4, 3}), "(4, 3)");
  EXPECT_THROW(count_of({4, -1}), base::Error);
  EXPECT_THROW(count_of({0, -1}), base::Error);
  EXPECT_THROW(count_of({1LL << 25, 1LL << 24}), base::Error);
  EXPECT_THROW(count_of({1LL << 62, 1LL << 62, 1LL << 62}), base::Error);
  EXPECT_EQ(count_of({1LL << 24, 1LL << 24}), 1ULL << 48);
}

TEST(Float16, EveryNumberSurvivesTheWayThroughDouble) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const Float16 number{static_cast<uint16_t>(bits)};
    const double value = number.to_double();
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(Float16::from(value).to_double()));
    } else {
      EXPECT_EQ(Float16::from(value).bits, bits);
    }
  }
}

// The places in between and their neighbors decide every rounding.
template <typename Small>
void expect_nearest_even_between_neighbors() {
  for (uint16_t bits = 0; bits < Small::kInfinity - 1; ++bits) {
    const double low = Small{bits}.to_double();
    const double high = Small{static_cast<uint16_t>(bits + 1)}.to_double();
    const double middle = low + (high - low) / 2;
    const auto even = static_cast<uint16_t>(bits + (bits & 1));
    EXPECT_EQ(Small::from(middle).bits, even);
    EXPECT_EQ(Small::from(std::nextafter(middle, 0)).bits, bits);
    EXPECT_EQ(Small::from(std::nextafter(middle, kInfinity)).bits, bits + 1);
    EXPECT_EQ(Small::from(-middle).bits, even | 0x8000);
  }
}

TEST(Float16, RoundsToNearestEven) { expect_nearest_even_between_neighbors<Float16>(); }
TEST(Bfloat16, RoundsToNearestEven) { expect_nearest_even_between_neighbors<Bfloat16>(); }

TEST(Float16, KnownBits) {
  EXPECT_EQ(Float16::from(1).bits, 0x3C00);
  EXPECT_EQ(Float16::from(-0.0).bits, 0x8000);
  EXPECT_EQ(Float16::from(65504).bits, 0x7BFF);
  EXPECT_EQ(Float16::from(65519.99).bits, 0x7BFF);
  EXPECT_EQ(Float16::from(65520).bits, 0x7C00);
  EXPECT_EQ(Float16::from(1e300).bits, 0x7C00);
  EXPECT_EQ(Float16::from(-kInfinity).bits, 0xFC00);
  EXPECT_EQ(Float16::from(0x1p-24).bits, 0x0001);
  EXPECT_EQ(Float16::from(0x1p-25).bits, 0x0000);
  EXPECT_EQ(Float16::from(5e-324).bits, 0x0000);
  EXPECT_EQ(Float16::from(kNan).bits & 0x7FFF, 0x7E00);
}

TEST(Bfloat16, IsTheUpperHalfOfAFloat) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const uint32_t wide = bits << 16;
    float number = 0;
    std::memcpy(&number, &wide, sizeof number);
    const double value = Bfloat16{static_cast<uint16_t>(bits)}.to_double();
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(value));
    } else {
      EXPECT_EQ(value, number);
      EXPECT_EQ(Bfloat16::from(value).bits, bits);
    }
  }
}

TEST(Array, IntegersRoundToEvenAndAreClamped) {
  EXPECT_EQ(stored(NumberType::kInt32, 2.5), 2);
  EXPECT_EQ(stored(NumberType::kInt32, 3.5), 4);
  EXPECT_EQ(stored(NumberType::kInt32, -2.5), -2);
  EXPECT_EQ(stored(NumberType::kInt8, 300), 127);
  EXPECT_EQ(stored(NumberType::kInt8, -kInfinity), -128);
  EXPECT_EQ(stored(NumberType::kUint8, -3), 0);
  EXPECT_EQ(stored(NumberType::kUint32, 1e20), 4294967295.0);
  EXPECT_EQ(stored(NumberType::kInt64, 1e300), 0x1p63);
  EXPECT_EQ(stored(NumberType::kInt64, -1e300), -0x1p63);
  EXPECT_EQ(stored(NumberType::kUint64, 0x1p64), 0x1p64);
  EXPECT_EQ(stored(NumberType::kInt16, kNan), 0);
  EXPECT_EQ(stored(NumberType::kBool, -7), 1);
  EXPECT_EQ(stored(NumberType::kBool, 0), 0);
}

TEST(Array, FloatsOverflowToInfinity) {
  EXPECT_EQ(stored(NumberType::kFloat32, 1e39), kInfinity);
  EXPECT_EQ(stored(NumberType::kFloat32, 0.1), static_cast<double>(0.1F));
  EXPECT_TRUE(std::isnan(stored(NumberType::kFloat16, kNan)));
}

TEST(Array, BytesAreLittleEndianAndOneByteIsATruthValue) {
  Array array = Array::from_doubles(NumberType::kInt32, {2}, {1, 0x01020304});
  EXPECT_EQ(array.bytes[0], std::byte{1});
  EXPECT_EQ(array.bytes[4], std::byte{4});
  EXPECT_EQ(array.bytes[7], std::byte{1});
  array = {NumberType::kBool, {1}, {std::byte{255}}};
  EXPECT_EQ(array.at(0), 1);
}

TEST(Array, RangesAgreeWithSingleNumbers) {
  base::RandomStream stream(7, "array");
  std::vector<double> values(1000);
  for (double& value : values) value = stream.normal() * 50;
  for (const NumberType type : kAllTypes) {
    const Array whole = Array::from_doubles(type, {10, 100}, values);
    Array single = Array::zeros(type, {10, 100});
    for (size_t i = 0; i < values.size(); ++i) single.set(i, values[i]);
    EXPECT_EQ(whole.bytes, single.bytes) << name_of(type);
    std::vector<double> part(5);
    whole.read(42, part);
    for (size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole.at(42 + i));
  }
}

TEST(Array, BytesOfSeveralAddUp) {
  EXPECT_EQ(bytes_of(std::vector<Array>{}), 0U);
  EXPECT_EQ(
      bytes_of(std::vector{Array::zeros(NumberType::kFloat64, {3}), Array::zeros(NumberType::kInt8, {2, 2})}),
      28U);
}

TEST(Array, CountsMustFit) {
  EXPECT_THROW(Array::from_doubles(NumberType::kInt8, {3}, {1, 2}), base::CheckFailure);
  EXPECT_THROW(Array::zeros(NumberType::kInt8, {3}).at(3), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::tasks
