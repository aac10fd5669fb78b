#include "base/machine/cpu_instructions.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/scoped_variable.h"

namespace cuset::base {
namespace {

constexpr uint32_t kOfSapphireRapids = 0x23c14010;
constexpr uint32_t kOfZen4 = 0x10000010;

TEST(CpuInstructions, TilesAreMissingWhereTheyAreAnnouncedWithoutAPalette) {
  EXPECT_TRUE(lacks_announced_tiles(kOfSapphireRapids, 0));
  EXPECT_FALSE(lacks_announced_tiles(kOfSapphireRapids, 1));
  EXPECT_FALSE(lacks_announced_tiles(kOfZen4, 0));
}

TEST(CpuInstructions, Bfloat16ProductsAreThoseOfVectorsOrOfTilesThatAreThere) {
  constexpr uint32_t kVectors = 1u << 5;
  EXPECT_TRUE(has_bfloat16_products(kVectors, kOfZen4, 0));
  EXPECT_TRUE(has_bfloat16_products(0, kOfSapphireRapids, 1));
  EXPECT_FALSE(has_bfloat16_products(0, kOfSapphireRapids, 0)) << "tiles that are hidden";
  EXPECT_FALSE(has_bfloat16_products(0, kOfZen4, 0));
}

TEST(CpuInstructions, WhatIsSetIsKept) {
  const support::ScopedVariable chosen(kOneDnnLimit, "AVX2");
  avoid_missing_tiles();
  EXPECT_STREQ(std::getenv(kOneDnnLimit), "AVX2");
}

}  // namespace
}  // namespace cuset::base
