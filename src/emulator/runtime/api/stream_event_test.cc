#include <gtest/gtest.h>

#include <string>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

TEST(Stream, HandlesAreKnownUntilDestroyed) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99), cudaSuccess);
  unsigned flags = 0;
  int priority = 0;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  for (cudaStream_t predefined : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaStreamSynchronize(predefined), cudaSuccess);
  }
  cudaGetLastError();
}

TEST(Stream, RefusesWorkOfAStrangeHandle) {
  int bogus = 0;
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(&bogus);
  EXPECT_EQ(cudaMemcpyAsync(&bogus, &bogus, 4, cudaMemcpyHostToHost, stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(Stream, FunctionsOfTheHostRunInOrder) {
  std::string order;
  auto append = [](void* text) { static_cast<std::string*>(text)->push_back('a'); };
  auto callback = [](cudaStream_t, cudaError_t status, void* text) {
    static_cast<std::string*>(text)->push_back(status == cudaSuccess ? 'b' : 'x');
  };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, append, &order), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(nullptr, callback, &order, 0), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, nullptr, &order), cudaErrorInvalidValue);
  EXPECT_EQ(order, "ab");
  cudaGetLastError();
}

TEST(Stream, CallbacksAreToldTheFault) {
  register_test_kernels();
  cudaConfigureCall(1, 1, 0, nullptr);
  cudaLaunch(&kTrapStub);
  cudaError_t seen = cudaSuccess;
  auto callback = [](cudaStream_t, cudaError_t status, void* to) { *static_cast<cudaError_t*>(to) = status; };
  EXPECT_EQ(cudaStreamAddCallback(nullptr, callback, &seen, 0), cudaSuccess);
  EXPECT_EQ(seen, cudaErrorLaunchFailure);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorLaunchFailure);
  cudaDeviceReset();
}

TEST(Event, MeasuresTimeBetweenRecords) {
  cudaEvent_t start = nullptr, end = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventElapsedTime(nullptr, start, end), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  cudaGetLastError();
}

TEST(Event, WithoutTimingHasNoTime) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  cudaEventRecord(event);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event), cudaSuccess);
  cudaEventDestroy(event);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 99), cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
}  // namespace cuset_emulator
