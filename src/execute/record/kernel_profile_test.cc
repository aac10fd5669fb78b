#include "execute/record/kernel_profile.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

base::GpuInfo h200() {
  base::GpuInfo gpu;
  gpu.threads_per_multiprocessor = 2048;
  gpu.blocks_per_multiprocessor = 32;
  gpu.registers_per_multiprocessor = 65536;
  gpu.shared_bytes_per_multiprocessor = 228 << 10;
  gpu.reserved_shared_bytes_per_block = 1 << 10;
  return gpu;
}

base::GpuInfo a10() {
  base::GpuInfo gpu = h200();
  gpu.threads_per_multiprocessor = 1536;
  gpu.blocks_per_multiprocessor = 16;
  gpu.shared_bytes_per_multiprocessor = 100 << 10;
  return gpu;
}

KernelLaunches kernel_with(uint32_t threads, uint32_t registers, uint64_t shared) {
  KernelLaunches kernel;
  kernel.name = "k";
  std::fill(std::begin(kernel.grid), std::end(kernel.grid), 1);
  kernel.block[0] = threads;
  kernel.block[1] = kernel.block[2] = 1;
  kernel.registers = registers;
  kernel.shared_bytes = shared;
  return kernel;
}

// The numbers of blocks are those of cudaOccMaxActiveBlocksPerMultiprocessor (cuda_occupancy.h of CUDA 13.0) with the
// largest share of the cache as shared memory.
TEST(Occupancy, IsThatOfNvidiasCalculator) {
  const struct {
    uint32_t threads, registers;
    uint64_t shared;
    uint32_t blocks;
    const char* limit;
    uint32_t blocks_of_a10;
  } cases[] = {{256, 32, 0, 8, "threads", 6},
               {256, 33, 0, 6, "registers", 6},
               {1024, 64, 0, 1, "registers", 1},
               {1024, 65, 0, 0, "registers", 0},
               {128, 255, 0, 2, "registers", 2},
               {32, 16, 0, 32, "blocks", 16},
               {96, 40, 0, 16, "registers", 16},
               {256, 128, 0, 2, "registers", 2},
               {256, 32, 49152, 4, "shared memory", 2},
               {512, 32, 102048, 2, "shared memory", 0},
               {128, 32, 231424, 1, "shared memory", 0},
               {256, 40, 16384, 6, "registers", 5},
               {64, 168, 1000, 6, "registers", 6},
               {160, 72, 0, 5, "registers", 5},
               {416, 56, 3000, 2, "registers", 2}};
  for (const auto& c : cases) {
    const KernelLaunches kernel = kernel_with(c.threads, c.registers, c.shared);
    const Occupancy occupancy = occupancy_of(kernel, h200());
    EXPECT_EQ(occupancy.blocks, c.blocks) << c.threads << " threads, " << c.registers << " registers";
    EXPECT_EQ(occupancy.limit, c.limit) << c.threads << " threads, " << c.registers << " registers";
    EXPECT_DOUBLE_EQ(occupancy.share, c.blocks * ((c.threads + 31) / 32) / 64.0);
    EXPECT_EQ(occupancy_of(kernel, a10()).blocks, c.blocks_of_a10) << c.threads;
  }
}

TEST(Occupancy, IsNotGuessedAndStandsWhateverARecordHolds) {
  EXPECT_EQ(occupancy_of(kernel_with(256, 32, 0), {}).share, 0);
  EXPECT_EQ(occupancy_of(kernel_with(UINT32_MAX, UINT32_MAX, UINT64_MAX), h200()).share, 0);
  EXPECT_EQ(occupancy_of(kernel_with(0, 0, 0), h200()).blocks, 32u);
}

TEST(KernelProfile, SharesAddUpAndTheLargestIsFirst) {
  KernelLaunches short_one = kernel_with(256, 32, 0), long_one = kernel_with(1024, 64, 0);
  short_one.total_ms = 1;
  long_one.total_ms = 3;
  const std::vector<KernelProfile> profile = profile_of({short_one, long_one}, h200());
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile[0].kernel.registers, 64u);
  EXPECT_DOUBLE_EQ(profile[0].share, 0.75);
  EXPECT_DOUBLE_EQ(profile[0].occupancy.share, 0.5);
  EXPECT_DOUBLE_EQ(profile[1].share, 0.25);
  EXPECT_DOUBLE_EQ(profile[1].occupancy.share, 1);
}

TEST(KernelProfile, TheFootprintIsSetAgainstTheBandwidth) {
  base::GpuInfo gpu = h200();
  gpu.memory_bandwidth = 4'000'000'000'000;
  KernelLaunches kernel = kernel_with(256, 32, 0);
  kernel.launches = 3;
  kernel.total_ms = 0.006;
  kernel.footprint_bytes = 2'000'000;
  const KernelProfile profile = profile_of({kernel}, gpu).at(0);
  EXPECT_DOUBLE_EQ(profile.footprint.gigabytes_per_second, 1000);
  EXPECT_DOUBLE_EQ(profile.footprint.share, 0.25);
  EXPECT_DOUBLE_EQ(footprint_rate_of(kernel, {}).gigabytes_per_second, 1000);
  EXPECT_EQ(footprint_rate_of(kernel, {}).share, 0);
  kernel.total_ms = 0;
  EXPECT_EQ(footprint_rate_of(kernel, gpu).gigabytes_per_second, 0);
  EXPECT_EQ(footprint_rate_of(kernel_with(256, 32, 0), gpu).share, 0);
}

TEST(KernelProfile, LaunchesOfATimelineAreCountedByNameAndShape) {
  std::vector<DeviceActivity> timeline;
  for (const char* line : {"K 1000 3000 7 4,1,1 256,1,1 48 32 8 40 scale", "C 1 2 DtoH 4",
                           "K 5000 6000 7 4,1,1 256,1,1 48 32 8 40 scale",
                           "K 7000 8000 7 2,1,1 256,1,1 0 0 0 16 scale", "L scale"}) {
    ASSERT_TRUE(parse_activity(line, timeline.emplace_back())) << line;
  }
  const std::vector<KernelLaunches> kernels = launches_in(timeline);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].launches, 2u);
  EXPECT_DOUBLE_EQ(kernels[0].total_ms, 0.003);
  EXPECT_DOUBLE_EQ(kernels[0].shortest_ms, 0.001);
  EXPECT_EQ(kernels[0].registers, 40u);
  EXPECT_EQ(kernels[0].static_shared_bytes, 32u);
  EXPECT_EQ(kernels[0].local_bytes, 8u);
  EXPECT_EQ(kernels[1].grid[0], 2u);
}

}  // namespace
}  // namespace cuset::execute
