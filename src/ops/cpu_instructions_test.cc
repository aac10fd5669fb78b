#include "ops/cpu_instructions.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstdlib>

#include "base/scoped_variable.h"

namespace cuset {
namespace {

constexpr uint32_t kOfSapphireRapids = 0x23c14010;
constexpr uint32_t kOfZen4 = 0x10000010;

TEST(CpuInstructions, TilesAreMissingWhereTheyAreAnnouncedWithoutAPalette) {
  EXPECT_TRUE(lacks_announced_tiles(kOfSapphireRapids, 0));
  EXPECT_FALSE(lacks_announced_tiles(kOfSapphireRapids, 1));
  EXPECT_FALSE(lacks_announced_tiles(kOfZen4, 0));
}

TEST(CpuInstructions, WhatIsSetIsKept) {
  const ScopedVariable chosen("ONEDNN_MAX_CPU_ISA", "AVX2");
  avoid_missing_tiles();
  EXPECT_STREQ(std::getenv("ONEDNN_MAX_CPU_ISA"), "AVX2");
}

// Ended with an illegal instruction where tiles are missing; tests/test_main.cc takes care of it.
TEST(CpuInstructions, BFloat16ProductsAreComputed) {
  const auto a = torch::full({256, 256}, 0.5, torch::kBFloat16);
  const auto product = torch::mm(a, a).to(torch::kFloat32);
  EXPECT_TRUE(product.eq(64).all().item<bool>());
}

}  // namespace
}  // namespace cuset
