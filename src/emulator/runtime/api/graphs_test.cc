#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuset_emulator/graph_api.h"
#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

class GraphTest : public testing::Test {
 protected:
  void SetUp() override {
    register_test_kernels();
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), 8), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&other_), cudaSuccess);
  }
  void TearDown() override {
    cudaFree(data_);
    cudaStreamDestroy(stream_);
    cudaStreamDestroy(other_);
    cudaGetLastError();
  }

  void scale(float factor, cudaStream_t stream) {
    int count = 2;
    cudaConfigureCall(1, 2, 0, stream);
    cudaSetupArgument(&data_, 8, 0);
    cudaSetupArgument(&factor, 4, 8);
    cudaSetupArgument(&count, 4, 12);
    EXPECT_EQ(cudaLaunch(&kScaleStub), cudaSuccess);
  }

  void set(float value) {
    float values[2] = {value, value + 1};
    EXPECT_EQ(cudaMemcpy(data_, values, 8, cudaMemcpyHostToDevice), cudaSuccess);
  }

  std::vector<float> get() {
    std::vector<float> values(2);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

  float* data_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaStream_t other_ = nullptr;
};

TEST_F(GraphTest, CapturedWorkRunsWhenLaunched) {
  set(1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  scale(2, stream_);
  scale(5, stream_);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(get(), (std::vector<float>{1, 2}));
  size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  EXPECT_EQ(get(), (std::vector<float>{100, 200}));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
}

TEST_F(GraphTest, StreamsThatWaitTakePartInTheCapture) {
  set(1);
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(fork, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other_, fork), cudaSuccess);
  scale(3, other_);
  EXPECT_EQ(cudaEventRecord(join, other_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, join), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(get(), (std::vector<float>{1, 2}));
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(get(), (std::vector<float>{3, 6}));
  scale(2, other_);
  EXPECT_EQ(get(), (std::vector<float>{6, 12})) << "the other stream no longer captures";
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
}

TEST_F(GraphTest, NodesRunAfterWhatTheyDependOn) {
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  std::string order;
  auto append_a = [](void* text) { static_cast<std::string*>(text)->push_back('a'); };
  auto append_b = [](void* text) { static_cast<std::string*>(text)->push_back('b'); };
  cudaHostNodeParams first{append_b, &order}, second{append_a, &order};
  cudaGraphNode_t b = nullptr, a = nullptr, kernel = nullptr, fill = nullptr;
  ASSERT_EQ(cudaGraphAddHostNode(&b, graph, nullptr, 0, &first), cudaSuccess);
  ASSERT_EQ(cudaGraphAddHostNode(&a, graph, nullptr, 0, &second), cudaSuccess);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &a, &b, 1), cudaSuccess);
  cudaMemsetParams ones{data_, 8, 0x3f800000, 4, 2, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones), cudaSuccess);
  float factor = 7;
  int count = 2;
  void* arguments[] = {&data_, &factor, &count};
  cudaKernelNodeParams call{const_cast<char*>(&kScaleStub), 1, 2, 0, arguments, nullptr};
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &call), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(get(), (std::vector<float>{7, 7}));
  ASSERT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  cudaGraphExec_t circular = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&circular, graph), cudaErrorInvalidValue);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST_F(GraphTest, CaptureNeedsAStreamOfItsOwn) {
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaGraphInstantiate(nullptr, graph), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace cuset_emulator
