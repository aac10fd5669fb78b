#include "verify/execute/gpu_device.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

TEST(DeviceProbe, LinesBecomeADevice) {
  const GpuProbe probe = parse_gpu_probe(
      "name NVIDIA H200\nuuid GPU-00112233-4455-6677-8899-aabbccddeeff\narchitecture sm_90\nmemory "
      "150754820096\n"
      "bandwidth 4814784000000\ncache 62914560\ndriver 13000\nlibrary /usr/lib/libcuda.so.1\nhealthy yes\n");
  ASSERT_TRUE(probe.device.has_value());
  EXPECT_EQ(probe.device->name, "NVIDIA H200");
  EXPECT_EQ(probe.device->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(probe.device->architecture, "sm_90");
  EXPECT_EQ(probe.device->memory, 150754820096u);
  EXPECT_EQ(probe.device->bandwidth, 4814784000000u);
  EXPECT_EQ(probe.device->cache, 62914560u);
  EXPECT_EQ(probe.device->driver, 13000);
  EXPECT_EQ(probe.device->library, "/usr/lib/libcuda.so.1");
  EXPECT_TRUE(probe.healthy);
  EXPECT_EQ(probe.problem, "");
}

TEST(DeviceProbe, AProblemIsKeptAndGarbageIsNoDevice) {
  const GpuProbe failed = parse_gpu_probe("name X\narchitecture sm_80\nproblem cuMemAlloc_v2 failed: 719\n");
  EXPECT_TRUE(failed.device.has_value());
  EXPECT_FALSE(failed.healthy);
  EXPECT_EQ(failed.problem, "cuMemAlloc_v2 failed: 719");
  for (const char* text : {"", "\n\n", "name", "memory x\n", "architecture", "healthy"}) {
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
}  // namespace cuset
