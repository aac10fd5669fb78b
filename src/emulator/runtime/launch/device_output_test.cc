#include "runtime/launch/device_output.h"

#include <gtest/gtest.h>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

class DeviceOutput : public testing::Test {
 protected:
  void SetUp() override {
    register_test_kernels();
    cudaDeviceReset();
  }

  static void print(unsigned blocks, int number) {
    cudaConfigureCall(blocks, 2, 0, nullptr);
    cudaSetupArgument(&number, sizeof(number), 0);
    cudaLaunch(&kPrintStub);
  }

  template <class Body>
  static std::string printed(Body body) {
    testing::internal::CaptureStdout();
    body();
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(DeviceOutput, WaitsForSynchronization) {
  EXPECT_EQ(printed([] { print(1, 5); }), "");
  EXPECT_EQ(printed([] { cudaDeviceSynchronize(); }), "block 0 thread 0: 5\nblock 0 thread 1: 5\n");
  EXPECT_EQ(printed([] { cudaDeviceSynchronize(); }), "");
}

TEST_F(DeviceOutput, IsPrintedByTheNextLaunchAndByCopies) {
  print(1, 1);
  EXPECT_EQ(printed([] { print(1, 2); }), "block 0 thread 0: 1\nblock 0 thread 1: 1\n");
  int value = 0;
  EXPECT_EQ(printed([&] { cudaMemcpy(&value, &value, 4, cudaMemcpyHostToHost); }),
            "block 0 thread 0: 2\nblock 0 thread 1: 2\n");
}

TEST_F(DeviceOutput, ComesInTheOrderOfBlocks) {
  auto from_block = [](uint32_t block) {
    cuset_context.grid_dim[0] = 4;
    cuset_context.block_index[0] = block;
    cuset_context.block_index[1] = cuset_context.block_index[2] = 0;
    cuset_device_printf("%u,", block);
    cuset_device_printf("%u;", block);
  };
  for (uint32_t block : {2, 0, 3, 1}) from_block(block);
  end_of_launch_output();
  EXPECT_EQ(printed([] { flush_device_output(); }), "0,0;1,1;2,2;3,3;");
}

TEST_F(DeviceOutput, LosesTheOldestLinesWhenTheBufferIsFull) {
  size_t before = device_output_limit();
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 80), cudaSuccess);
  print(3, 7);
  EXPECT_EQ(printed([] { cudaDeviceSynchronize(); }), "block 2 thread 0: 7\nblock 2 thread 1: 7\n");
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, before);
}

TEST_F(DeviceOutput, CountsArgumentsAsDeviceCodeDoes) {
  EXPECT_EQ(cuset_device_printf("%d %5.2f %% %lld\n", 1, 2.0, 3LL), 3);
  EXPECT_EQ(cuset_device_printf("none"), 0);
  EXPECT_EQ(cuset_device_vprintf(nullptr, {}), -1);
  end_of_launch_output();
  EXPECT_EQ(printed([] { flush_device_output(); }), "1  2.00 % 3\nnone");
}

TEST_F(DeviceOutput, NeverWritesThroughAFormat) {
  EXPECT_EQ(cuset_device_printf("a%hhnb"), -1);
  end_of_launch_output();
  EXPECT_EQ(printed([] { flush_device_output(); }), "a%hhnb");
}

TEST_F(DeviceOutput, LongTextIsKeptToALimit) {
  cuset_device_printf("%300d|", 1);
  cuset_device_printf("%3000d|", 1);
  cuset_device_printf("%300000d", 1);
  end_of_launch_output();
  std::string text = printed([] { flush_device_output(); });
  EXPECT_EQ(text.size(), 301u + 3001u + 65536u);
}

TEST_F(DeviceOutput, AssertionsNameThePlaceAndEndTheLaunch) {
  testing::internal::CaptureStderr();
  cudaConfigureCall(1, 1, 0, nullptr);
  EXPECT_EQ(cudaLaunch(&kAssertStub), cudaSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kernel.cu:7: void k(int): block: [0,0,0], thread: [0,0,0] Assertion `i < n` failed.\n");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  cudaDeviceReset();
}

TEST_F(DeviceOutput, HeapOfDeviceCodeIsLimited) {
  void* outcome = nullptr;
  ASSERT_EQ(cudaMalloc(&outcome, 8), cudaSuccess);
  cudaConfigureCall(1, 1, 0, nullptr);
  cudaSetupArgument(&outcome, 8, 0);
  ASSERT_EQ(cudaLaunch(&kHeapStub), cudaSuccess);
  int seen[2] = {};
  ASSERT_EQ(cudaMemcpy(seen, outcome, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen[0], 1);
  EXPECT_EQ(seen[1], 1);
  cudaFree(outcome);
}

}  // namespace
}  // namespace cuset_emulator
