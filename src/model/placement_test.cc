#include "model/placement.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include "base/error.h"
#include "model/model_folder.h"

namespace cuset::model {
namespace {

TEST(Placement, ProcessorComputesInFloat32UnlessToldOtherwise) {
  const Placement placement = Placement{.device = "cpu", .threads = 3}.resolve();
  EXPECT_EQ(placement.device, "cpu");
  EXPECT_EQ(placement.dtype, "float32");
  EXPECT_EQ(placement.threads, 3);
  EXPECT_EQ(placement.gpu_index(), -1);
  EXPECT_TRUE((Placement{.device = "cpu", .dtype = "bfloat16"}.resolve().is_bfloat16()));
}

TEST(Placement, AutomaticDeviceFollowsLibTorch) {
  const Placement placement = Placement{}.resolve();
  EXPECT_EQ(placement.is_gpu(), torch::cuda::is_available());
  EXPECT_EQ(placement.is_bfloat16(), torch::cuda::is_available());
  EXPECT_EQ((Placement{.dtype = "float32"}.resolve().dtype), "float32");
}

TEST(Placement, GpuThatIsNotThereIsRefusedWithARemedy) {
  if (torch::cuda::is_available()) GTEST_SKIP() << "there is a GPU";
  try {
    (void)Placement{.device = "cuda"}.resolve();
    FAIL() << "not refused";
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "device is cuda, but LibTorch sees no GPU");
    EXPECT_EQ(error.remedy(), "`cuset doctor` says what is missing");
  }
}

TEST(Placement, GivesTheTypesOfLibTorch) {
  const WeightOptions on_cpu = weight_options({.device = "cpu", .dtype = "bfloat16"});
  EXPECT_EQ(on_cpu.type, torch::kBFloat16);
  EXPECT_TRUE(on_cpu.device.is_cpu());
  const WeightOptions on_gpu = weight_options({.device = "cuda", .dtype = "float32"}, 1);
  EXPECT_EQ(on_gpu.type, torch::kFloat32);
  EXPECT_EQ(on_gpu.device, torch::Device(torch::kCUDA, 1));
}

}  // namespace
}  // namespace cuset::model
