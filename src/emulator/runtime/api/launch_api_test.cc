#include <gtest/gtest.h>

#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

class Launch : public testing::Test {
 protected:
  void SetUp() override {
    register_test_kernels();
    cudaDeviceReset();
  }
  void TearDown() override { cudaDeviceReset(); }

  // As clang's host code does it.
  template <class... Arguments>
  static cudaError_t launch(const char& stub, dim3 grid, dim3 block, Arguments... arguments) {
    cudaConfigureCall(grid, block, 0, nullptr);
    (cudaSetupArgument(&arguments, sizeof(arguments), 0), ...);
    return cudaLaunch(&stub);
  }

  static float* device_floats(const std::vector<float>& values) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, values.size() * sizeof(float)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
              cudaSuccess);
    return static_cast<float*>(memory);
  }

  static std::vector<float> host_floats(const float* memory, size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
};

TEST_F(Launch, RunsEveryThread) {
  float* data = device_floats({1, 2, 3, 4, 5});
  EXPECT_EQ(launch(kScaleStub, 2, 3, data, 2.0f, 5), cudaSuccess);
  EXPECT_EQ(host_floats(data, 5), (std::vector<float>{2, 4, 6, 8, 10}));
}

TEST_F(Launch, StructArgumentsArriveByAddress) {
  float* sum = device_floats({0});
  EXPECT_EQ(launch(kStructStub, 1, 1, Pair3{{1, 2, 4}}, sum), cudaSuccess);
  EXPECT_EQ(host_floats(sum, 1), (std::vector<float>{7}));
}

TEST_F(Launch, ArgumentsMayLaunchThemselves) {
  float* data = device_floats({1});
  cudaConfigureCall(1, 1, 0, nullptr);
  launch(kScaleStub, 1, 1, data, 3.0f, 1);  // evaluated as an argument of the launch around it
  float factor = 5.0f;
  int count = 1;
  cudaSetupArgument(&data, 8, 0);
  cudaSetupArgument(&factor, 4, 8);
  cudaSetupArgument(&count, 4, 12);
  EXPECT_EQ(cudaLaunch(&kScaleStub), cudaSuccess);
  EXPECT_EQ(host_floats(data, 1), (std::vector<float>{15}));
}

TEST_F(Launch, TakesArgumentsByPointer) {
  float* data = device_floats({1, 2});
  float factor = 4.0f;
  int count = 2;
  void* arguments[] = {&data, &factor, &count};
  EXPECT_EQ(cudaLaunchKernel(&kScaleStub, 1, 2, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(host_floats(data, 2), (std::vector<float>{4, 8}));
  EXPECT_EQ(cudaLaunchKernel(&kScaleStub, 1, 2, nullptr, 0, nullptr), cudaErrorInvalidValue);
}

TEST_F(Launch, ShapesAreCheckedAsOnADevice) {
  struct Case {
    dim3 grid, block;
    size_t shared;
    cudaError_t error;
  };
  const Case cases[] = {
      {dim3(0), dim3(1), 0, cudaErrorInvalidConfiguration},
      {dim3(1), dim3(0), 0, cudaErrorInvalidConfiguration},
      {dim3(1), dim3(1025), 0, cudaErrorInvalidConfiguration},
      {dim3(1), dim3(1024), 0, cudaSuccess},
      {dim3(1), dim3(32, 33), 0, cudaErrorInvalidConfiguration},
      {dim3(1), dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration},
      {dim3(1, 65536), dim3(1), 0, cudaErrorInvalidConfiguration},
      {dim3(1, 1, 65536), dim3(1), 0, cudaErrorInvalidConfiguration},
      {dim3(2147483648u), dim3(1), 0, cudaErrorInvalidConfiguration},
      {dim3(1), dim3(1), 48 << 10, cudaSuccess},
      {dim3(1), dim3(1), (48 << 10) + 1, cudaErrorInvalidValue},
      {dim3(1), dim3(1), SIZE_MAX, cudaErrorInvalidValue},
  };
  int number = 0;
  for (const Case& example : cases) {
    void* arguments[] = {&number};
    cudaConfigureCall(example.grid, example.block, example.shared, nullptr);
    cudaSetupArgument(arguments[0], sizeof(int), 0);
    EXPECT_EQ(cudaLaunch(&kQuietStub), example.error)
        << example.grid.x << " " << example.block.x << " " << example.shared;
    EXPECT_EQ(cudaGetLastError(), example.error);
  }
}

TEST_F(Launch, UnknownKernelsAreRefused) {
  EXPECT_EQ(launch(kMissingStub, 1, 1), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaLaunch(&kPrintStub), cudaErrorMissingConfiguration);
}

TEST_F(Launch, CooperativeGridsMustBeResident) {
  float* data = device_floats({1});
  float factor = 2.0f;
  int count = 1;
  void* arguments[] = {&data, &factor, &count};
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kScaleStub, 108 * 2, 1024, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&kScaleStub, 108 * 2 + 1, 1024, arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(Launch, DeviceFaultsShowAtTheNextSynchronization) {
  EXPECT_EQ(launch(kTrapStub, 1, 1), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorLaunchFailure);
  EXPECT_EQ(launch(kPrintStub, 1, 1, 0), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
}

TEST_F(Launch, HostMemoryAsArgumentIsAnIllegalAddress) {
  std::vector<float> on_heap(4, 1.0f);
  EXPECT_EQ(launch(kScaleStub, 1, 4, on_heap.data(), 2.0f, 4), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(on_heap[0], 1.0f);
}

TEST_F(Launch, PinnedRegisteredAndManagedMemoryMayBeArguments) {
  void* pinned = nullptr;
  void* managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 4), cudaSuccess);
  int registered = 0;
  ASSERT_EQ(cudaHostRegister(&registered, sizeof(registered), 0), cudaSuccess);
  for (void* memory : {pinned, managed, static_cast<void*>(&registered)}) {
    EXPECT_EQ(launch(kWriteStub, 1, 1, memory, 42), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(*static_cast<int*>(memory), 42);
  }
  EXPECT_EQ(cudaHostUnregister(&registered), cudaSuccess);
}

}  // namespace
}  // namespace cuset_emulator
