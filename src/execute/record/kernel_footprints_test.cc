#include "execute/record/kernel_footprints.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

KernelLaunches launches_of(const std::string& name, uint32_t grid) {
  KernelLaunches kernel;
  kernel.name = name;
  kernel.grid[0] = grid;
  kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
  kernel.block[0] = 256;
  return kernel;
}

TEST(KernelFootprints, AreThoseOfTheNameAndShape) {
  std::vector<KernelLaunches> kernels{launches_of("saxpy", 4), launches_of("saxpy", 8),
                                      launches_of("scale<float, 4>", 4), launches_of("other", 4)};
  add_footprints(
      "1500 2 4,1,1 256,1,1 saxpy\n8 1 8,1,1 256,1,1 saxpy\n64 1 4,1,1 256,1,1 scale<float, 4>\n"
      "5 1 4,1,1 128,1,1 other\n",
      kernels);
  EXPECT_EQ(kernels[0].footprint_bytes, 750u);
  EXPECT_EQ(kernels[1].footprint_bytes, 8u);
  EXPECT_EQ(kernels[2].footprint_bytes, 64u);
  EXPECT_EQ(kernels[3].footprint_bytes, 0u);
}

TEST(KernelFootprints, DamagedLinesAreLeftOut) {
  for (const char* text :
       {"", "\n\n", "12", "12 1", "12 1 4,1,1 256,1,1", "12 0 4,1,1 256,1,1 k", "x 1 4,1,1 256,1,1 k",
        "12 1 4,1 256,1,1 k", "-1 1 4,1,1 256,1,1 k", "99999999999999999999999 1 4,1,1 256,1,1 k"}) {
    std::vector<KernelLaunches> kernels{launches_of("k", 4)};
    add_footprints(text, kernels);
    EXPECT_EQ(kernels[0].footprint_bytes, 0u) << text;
  }
}

}  // namespace
}  // namespace cuset::execute
