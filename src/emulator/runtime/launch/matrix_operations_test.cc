#include "runtime/launch/matrix_operations.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "cuset_emulator/small_floats.h"

namespace cuset_emulator {
namespace {

// The registers of 32 lanes, 16 words at most for each operand.
struct Warp {
  std::array<std::array<uint32_t, 16>, 32> a{}, b{}, c{}, d{};
  std::array<CusetMatrixRegisters, 32> registers{};
  std::array<Request, 32> requests{};

  void multiply(uint32_t product, uint32_t lanes = ~0u) {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      registers[lane] = {a[lane].data(), b[lane].data(), c[lane].data(), d[lane].data()};
      requests[lane].argument = product;
      requests[lane].value = reinterpret_cast<uint64_t>(&registers[lane]);
    }
    multiply_matrices(lanes, requests.data());
  }
};

uint32_t halves(float low, float high) {
  return float_to_half(low) | static_cast<uint32_t>(float_to_half(high)) << 16;
}

float a_at(uint32_t row, uint32_t column) { return static_cast<float>((row * 5 + column * 3) % 7) - 3; }
float b_at(uint32_t row, uint32_t column) { return static_cast<float>((row * 2 + column * 11) % 9) - 4; }

float wanted(uint32_t row, uint32_t column, uint32_t depth, float c) {
  for (uint32_t k = 0; k < depth; ++k) c += a_at(row, k) * b_at(k, column);
  return c;
}

// Registers as in the figures of the PTX manual for mma.m16n8k16 of f16.
TEST(MatrixOperations, HalvesLieAsInMma16x8x16) {
  Warp warp;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t g = lane / 4, t = lane % 4 * 2;
    warp.a[lane] = {halves(a_at(g, t), a_at(g, t + 1)), halves(a_at(g + 8, t), a_at(g + 8, t + 1)),
                    halves(a_at(g, t + 8), a_at(g, t + 9)), halves(a_at(g + 8, t + 8), a_at(g + 8, t + 9))};
    warp.b[lane] = {halves(b_at(t, g), b_at(t + 1, g)), halves(b_at(t + 8, g), b_at(t + 9, g))};
    for (uint32_t i = 0; i < 4; ++i) warp.c[lane][i] = same_bits<uint32_t>(static_cast<float>(lane + i));
  }
  warp.multiply(CUSET_MATRIX_PRODUCT(16, 16, CUSET_F16, CUSET_F16, CUSET_F32, CUSET_F32, 0));
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 4; ++i) {
      const float c = static_cast<float>(lane + i);
      EXPECT_EQ(same_bits<float>(warp.d[lane][i]), wanted(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2, 16, c));
    }
  }
}

TEST(MatrixOperations, Tf32IgnoresTheLowBits) {
  Warp warp;
  warp.a[0][0] = same_bits<uint32_t>(1.0f) | 0x1fffu;
  warp.b[0][0] = same_bits<uint32_t>(2.0f) | 0x1fffu;
  warp.multiply(CUSET_MATRIX_PRODUCT(16, 8, CUSET_TF32, CUSET_TF32, CUSET_F32, CUSET_F32, 0));
  EXPECT_EQ(same_bits<float>(warp.d[0][0]), 2.0f);
  EXPECT_EQ(same_bits<float>(warp.d[1][0]), 0.0f);
}

TEST(MatrixOperations, IntegersWrapOrSaturate) {
  for (const bool saturates : {false, true}) {
    Warp warp;
    warp.a[0][0] = warp.b[0][0] = 2;
    warp.c[0][0] = 0x7fffffff;
    warp.multiply(CUSET_MATRIX_PRODUCT(16, 32, CUSET_S8, CUSET_S8, CUSET_S32, CUSET_S32, saturates));
    EXPECT_EQ(warp.d[0][0], saturates ? 0x7fffffffu : 0x80000003u);
  }
}

TEST(MatrixOperations, NibblesAndBytesHaveSigns) {
  Warp warp;
  warp.a[0][0] = 0xff, warp.b[0][0] = 0x02;
  warp.multiply(CUSET_MATRIX_PRODUCT(16, 32, CUSET_S8, CUSET_U8, CUSET_S32, CUSET_S32, 0));
  EXPECT_EQ(warp.d[0][0], 0xfffffffeu);
  warp.a[0][0] = 0x0f, warp.b[0][0] = 0x0f;
  warp.multiply(CUSET_MATRIX_PRODUCT(16, 64, CUSET_S4, CUSET_U4, CUSET_S32, CUSET_S32, 0));
  EXPECT_EQ(warp.d[0][0], 0xfffffff1u);
}

TEST(MatrixOperations, DoublesAreFused) {
  Warp warp;
  const double x = 1 + 0x1p-30;
  const auto bits = same_bits<uint64_t>(x);
  const auto minus_one = same_bits<uint64_t>(-1.0);
  warp.a[0] = warp.b[0] = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
  warp.c[0] = {static_cast<uint32_t>(minus_one), static_cast<uint32_t>(minus_one >> 32)};
  warp.multiply(CUSET_MATRIX_PRODUCT(8, 4, CUSET_F64, CUSET_F64, CUSET_F64, CUSET_F64, 0));
  EXPECT_EQ(same_bits<double>(warp.d[0][0] | uint64_t{warp.d[0][1]} << 32), 0x1p-29 + 0x1p-60);
}

TEST(MatrixOperations, EightBitFloats) {
  EXPECT_EQ(e4m3_to_float(0x38), 1.0f);
  EXPECT_EQ(e4m3_to_float(0x7e), 448.0f);
  EXPECT_EQ(e4m3_to_float(0x81), -0x1p-9f);
  EXPECT_TRUE(e4m3_to_float(0x7f) != e4m3_to_float(0x7f));
  EXPECT_EQ(e5m2_to_float(0x3c), 1.0f);
  EXPECT_EQ(e5m2_to_float(0x7b), 57344.0f);
  EXPECT_EQ(e5m2_to_float(0x01), 0x1p-16f);
}

TEST(MatrixOperations, MissingLanesAreZeros) {
  Warp warp;
  for (auto& lane : warp.a) lane[0] = halves(1, 1);
  for (auto& lane : warp.b) lane[0] = halves(1, 1);
  warp.multiply(CUSET_MATRIX_PRODUCT(16, 8, CUSET_F16, CUSET_F16, CUSET_F32, CUSET_F32, 0), 1);
  EXPECT_EQ(same_bits<float>(warp.d[0][0]), 2.0f);
  EXPECT_EQ(warp.d[1][0], 0u);
}

}  // namespace
}  // namespace cuset_emulator
