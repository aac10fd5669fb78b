#include <gtest/gtest.h>

#include "cuset_emulator/host_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

TEST(Device, IsOne) {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int peer = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 0), cudaSuccess);
  EXPECT_EQ(peer, 0);
}

TEST(Device, PropertiesAndAttributesAgree) {
  cudaDeviceProp all;
  ASSERT_EQ(cudaGetDeviceProperties(&all, 0), cudaSuccess);
  EXPECT_STREQ(all.name, "CuSeT CPU emulator");
  struct Case {
    cudaDeviceAttr attribute;
    int value;
  };
  const Case cases[] = {
      {cudaDevAttrComputeCapabilityMajor, 8},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrWarpSize, all.warpSize},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, 2147483647},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 166912},
      {cudaDevAttrMultiProcessorCount, all.multiProcessorCount},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrPageableMemoryAccess, 0},
      {cudaDevAttrClusterLaunch, 0},
  };
  for (const Case& example : cases) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, example.attribute, 0), cudaSuccess);
    EXPECT_EQ(value, example.value) << example.attribute;
  }
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetDeviceProperties(&all, 3), cudaErrorInvalidDevice);
  cudaGetLastError();
}

TEST(Device, LimitsAreKept) {
  size_t value = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 8u << 20);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(77)), cudaErrorUnsupportedLimit);
  cudaGetLastError();
}

TEST(Function, DynamicSharedMemoryNeedsConsent) {
  register_test_kernels();
  int number = 0;
  auto launch = [&](size_t shared) {
    cudaConfigureCall(1, 1, shared, nullptr);
    cudaSetupArgument(&number, sizeof(number), 0);
    return cudaLaunch(&kQuietStub);
  };
  EXPECT_EQ(cudaFuncSetAttribute(&kQuietStub, cudaFuncAttributeMaxDynamicSharedMemorySize, 164 << 10),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&kQuietStub, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 << 10),
            cudaSuccess);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &kQuietStub), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 163 << 10);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &number), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(100 << 10), cudaSuccess);
  EXPECT_EQ(launch((163 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&kQuietStub, cudaFuncAttributeMaxDynamicSharedMemorySize, 0), cudaSuccess);
  EXPECT_EQ(launch(100 << 10), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Function, OccupancyFollowsThreadsAndSharedMemory) {
  register_test_kernels();
  struct Case {
    int threads;
    size_t shared;
    int blocks;
  };
  for (const Case& example :
       {Case{1024, 0, 2}, Case{256, 0, 8}, Case{32, 0, 32}, Case{33, 0, 32}, Case{65, 0, 21},
        Case{256, 48 << 10, 3}, Case{64, 163 << 10, 1}, Case{1025, 0, 0}, Case{64, SIZE_MAX, 0}}) {
    int blocks = -1;
    EXPECT_EQ(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kQuietStub, example.threads, example.shared),
        cudaSuccess);
    EXPECT_EQ(blocks, example.blocks) << example.threads << " " << example.shared;
  }
}

TEST(Errors, HaveNamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

}  // namespace
}  // namespace cuset_emulator
