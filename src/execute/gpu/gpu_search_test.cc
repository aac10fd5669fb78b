#include "execute/gpu/gpu_search.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

TEST(DeviceProbe, LinesBecomeADevice) {
  const GpuProbe probe = parse_gpu_probe(
      "name NVIDIA H200\nuuid GPU-00112233-4455-6677-8899-aabbccddeeff\ncapability 9.0\nmultiprocessors "
      "132\nmemory "
      "150754820096\n"
      "bandwidth 4814784000000\ncache 62914560\nthreads 2048\nblocks 32\nregisters 65536\nshared 233472\n"
      "reserved_shared 1024\nclock 1980000000\ncuda 13000\ndriver 580.65.06\nlibrary /usr/lib/libcuda.so.1\n"
      "healthy yes\n");
  ASSERT_TRUE(probe.device.has_value());
  EXPECT_EQ(probe.device->name, "NVIDIA H200");
  EXPECT_EQ(probe.device->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(probe.device->architecture(), "sm_90");
  EXPECT_EQ(probe.device->compute_capability(), "9.0");
  EXPECT_EQ(probe.device->multiprocessors, 132);
  EXPECT_EQ(probe.device->memory_bytes, 150754820096u);
  EXPECT_EQ(probe.device->memory_bandwidth, 4814784000000u);
  EXPECT_EQ(probe.device->cache_bytes, 62914560u);
  EXPECT_EQ(probe.device->threads_per_multiprocessor, 2048u);
  EXPECT_EQ(probe.device->blocks_per_multiprocessor, 32u);
  EXPECT_EQ(probe.device->registers_per_multiprocessor, 65536u);
  EXPECT_EQ(probe.device->shared_bytes_per_multiprocessor, 233472u);
  EXPECT_EQ(probe.device->reserved_shared_bytes_per_block, 1024u);
  EXPECT_EQ(probe.device->clock_hertz, 1980000000u);
  EXPECT_EQ(probe.device->cuda_version, 13000);
  EXPECT_EQ(probe.device->driver_version, "580.65.06");
  EXPECT_EQ(probe.device->driver_library, "/usr/lib/libcuda.so.1");
  EXPECT_TRUE(probe.healthy);
  EXPECT_EQ(probe.problem, "");
}

TEST(DeviceProbe, AProblemIsKeptAndGarbageIsNoDevice) {
  const GpuProbe failed = parse_gpu_probe("name X\ncapability 10.3\nproblem cuMemAlloc_v2 failed: 719\n");
  ASSERT_TRUE(failed.device.has_value());
  EXPECT_EQ(failed.device->architecture(), "sm_103");
  EXPECT_FALSE(failed.healthy);
  EXPECT_EQ(failed.problem, "cuMemAlloc_v2 failed: 719");
  for (const char* text : {"", "\n\n", "name", "memory x\n", "capability", "capability x\n", "healthy"}) {
    EXPECT_FALSE(parse_gpu_probe(text).device.has_value()) << text;
  }
}

// A number that no machine has: the probe itself runs, with or without a driver here.
TEST(DeviceProbe, AnAbsentDeviceIsSaidInWords) {
  const GpuProbe probe = probe_gpu(999, ProbeDepth::kDescribe);
  EXPECT_FALSE(probe.device.has_value());
  EXPECT_NE(probe.problem, "");
  EXPECT_EQ(probe.problem.find("could not be started"), std::string::npos) << probe.problem;
}

}  // namespace
}  // namespace cuset::execute
