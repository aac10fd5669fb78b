// Programs on a real GPU, one outcome each; skipped where there is none.
#include "execute/run/gpu_executor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "execute/run/gpu_executor_fixture.h"
#include "support/error_text.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

TEST_F(GpuExecutorTest, SaxpyIsRecordedWithShapeAndTime) {
  const Run result = run(kSaxpy);
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation << result.process.errors;
  EXPECT_EQ(result.process.output, "3 3\n");
  EXPECT_EQ(kernels_of(result), "saxpy 4096x1x1 256x1x1 1\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 0.0005);
  EXPECT_LT(result.kernels.at(0).total_ms, 100);
  EXPECT_EQ(result.cuda_error, 0);
}

TEST_F(GpuExecutorTest, TheSecondBuildComesFromTheCache) {
  const Build first = build(kSaxpy);
  const Build second = build(kSaxpy);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.program, second.program);
  EXPECT_TRUE(executor().check(sources_ / "test.cu", {}).done());
}

TEST_F(GpuExecutorTest, AProgramWithoutKernelsHasNone) {
  const Run quiet = run("#include <cstdio>\nint main() { std::puts(\"1 million kernels launched\"); }");
  EXPECT_EQ(quiet.outcome, Run::Outcome::kDone);
  EXPECT_EQ(kernels_of(quiet), "");
  const Run copying = run("int main() { void* p; return cudaMalloc(&p, 100) || cudaMemset(p, 0, 100); }");
  EXPECT_EQ(copying.outcome, Run::Outcome::kDone) << copying.explanation;
  EXPECT_EQ(kernels_of(copying), "");
}

TEST_F(GpuExecutorTest, AnInvalidConfigurationIsALaunchError) {
  const char* kernel = "__global__ void k() {}\n";
  const Run swallowed =
      run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); cudaDeviceSynchronize(); }");
  EXPECT_EQ(swallowed.outcome, Run::Outcome::kLaunchError);
  // Runtimes up to CUDA 12 say "invalid configuration" (9), later ones "invalid argument" (1).
  EXPECT_TRUE(swallowed.explanation == "invalid configuration argument (9) in k" ||
              swallowed.explanation == "invalid argument (1) in k")
      << swallowed.explanation;
  ASSERT_EQ(swallowed.kernels.size(), 1u);
  EXPECT_EQ(swallowed.kernels[0].launches, 0u);
  EXPECT_EQ(swallowed.kernels[0].failed, 1u);
  EXPECT_EQ(swallowed.kernels[0].block[0], 2048u);
  const Run handled =
      run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); return cudaGetLastError() ? 0 : 1; }");
  EXPECT_EQ(handled.outcome, Run::Outcome::kDone) << handled.explanation;
  const Run said = run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); return cudaGetLastError(); }");
  EXPECT_EQ(said.outcome, Run::Outcome::kLaunchError);
}

TEST_F(GpuExecutorTest, FaultsOfDeviceCodeAreNamed) {
  struct Fault {
    const char* statement;
    int code;
  };
  const Fault faults[] = {{"*(volatile int*)8 = 1;", 700},
                          {"*(volatile int*)((char*)p + 1) = 1;", 716},
                          {"__trap();", 719},
                          {"assert(p == nullptr);", 710}};
  for (const Fault& fault : faults) {
    for (const char* end :
         {"cudaDeviceSynchronize(); return 0;", "return cudaDeviceSynchronize();", "return 0;"}) {
      const Run result =
          run(fmt::format("#include <cassert>\n__global__ void fine(int* p) {{ p[0] = 1; }}\n"
                          "__global__ void guilty(int* p) {{ {} }}\nint main() {{ int* p; "
                          "cudaMalloc(&p, 64); fine<<<1, 1>>>(p); cudaDeviceSynchronize(); "
                          "guilty<<<1, 1>>>(p); {} }}",
                          fault.statement, end));
      EXPECT_EQ(result.outcome, Run::Outcome::kLaunchError) << fault.code << end << result.explanation;
      EXPECT_EQ(result.cuda_error, fault.code) << end << result.explanation;
      EXPECT_NE(result.explanation.find(fmt::format("({}) in guilty", fault.code)), std::string::npos)
          << result.explanation;
    }
  }
}

TEST_F(GpuExecutorTest, AnEndlessKernelIsKilledAndTheDeviceStaysWell) {
  limits_.wall_time = std::chrono::seconds(3);
  const std::string endless = R"(
__global__ void quick(int* p) { p[0] = 1; }
__global__ void endless(volatile int* p) { while (p[0] == 1) {} }
int main() {
  int* p;
  cudaMalloc(&p, 64);
  quick<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  endless<<<2, 32>>>(p);
  return cudaDeviceSynchronize();
}
)";
  const Run hung = run(endless);
  EXPECT_EQ(hung.outcome, Run::Outcome::kTimeout) << hung.explanation;
  EXPECT_EQ(hung.explanation, "killed after 3.0 s");
  EXPECT_EQ(kernels_of(hung), "quick 1x1x1 1x1x1 1\nendless 2x1x1 32x1x1 1\n");
  EXPECT_GT(hung.kernels.at(0).total_ms, 0);
  EXPECT_EQ(hung.kernels.at(1).total_ms, 0);
  limits_.wall_time = std::chrono::seconds(30);
  EXPECT_EQ(run(kSaxpy).outcome, Run::Outcome::kDone);
}

TEST_F(GpuExecutorTest, AHangInHostCodeLeavesItsRecord) {
  limits_.wall_time = std::chrono::seconds(3);
  const Run hung =
      run("__global__ void k() {}\nint main() { for (int i = 0; i < 5; ++i) { k<<<3, 64>>>(); "
          "cudaDeviceSynchronize(); } for (;;) {} }");
  EXPECT_EQ(hung.outcome, Run::Outcome::kTimeout);
  EXPECT_EQ(kernels_of(hung), "k 3x1x1 64x1x1 5\n");
}

TEST_F(GpuExecutorTest, ExhaustedMemoryIsToldFromOtherFailures) {
  const Run exhausted =
      run("#include <cstdlib>\nint main() { void* p; for (;;) if (cudaMalloc(&p, 1ull << 34)) "
          "std::abort(); }");
  EXPECT_EQ(exhausted.outcome, Run::Outcome::kOutOfMemory) << exhausted.explanation;
  EXPECT_EQ(exhausted.cuda_error, 2);
  EXPECT_EQ(run(kSaxpy).outcome, Run::Outcome::kDone);
  limits_.memory = 2ull << 30;
  const Run host =
      run("#include <cstdlib>\n#include <cstring>\nint main() { for (;;) { void* p = "
          "std::malloc(1 << 26); if (p) std::memset(p, 1, 1 << 26); } }");
  EXPECT_EQ(host.outcome, Run::Outcome::kOutOfMemory) << host.explanation;
}

TEST_F(GpuExecutorTest, CrashesAndFailuresOfHostCode) {
  const Run aborted = run("#include <cstdlib>\nint main() { std::abort(); }");
  EXPECT_EQ(aborted.outcome, Run::Outcome::kCrash);
  EXPECT_EQ(aborted.explanation, "crashed with SIGABRT");
  const Run wild =
      run("__global__ void k() {}\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); "
          "*(volatile int*)0 = 1; }");
  EXPECT_EQ(wild.outcome, Run::Outcome::kCrash);
  EXPECT_EQ(kernels_of(wild), "k 1x1x1 1x1x1 1\n");
  const Run failed =
      run("int main(int n, char** a) { return n == 3 && a[2][0] == 'y' ? 7 : 8; }", {"x", "y"});
  EXPECT_EQ(failed.outcome, Run::Outcome::kFailed);
  EXPECT_EQ(failed.explanation, "exit status 7");
}

TEST_F(GpuExecutorTest, TenThousandLaunchesAreCounted) {
  const Run result =
      run("__global__ void k(int* p) { atomicAdd(p, 1); }\nint main() { int* p; cudaMalloc(&p, 4); "
          "cudaMemset(p, 0, 4); for (int i = 0; i < 10000; ++i) k<<<1, 1>>>(p); int n = 0; "
          "cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); return n != 10000; }");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result), "k 1x1x1 1x1x1 10000\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 1);
  EXPECT_GT(result.kernels.at(0).shortest_ms, 0);
}

TEST_F(GpuExecutorTest, TemplatesNamespacesAndShapesAreToldApart) {
  const Run result = run(R"(
namespace deep { template <typename T, int N> __global__ void scale(T* p) { p[threadIdx.x] *= N; } }
__global__ void shared_user(int* p) { __shared__ int s[256]; extern __shared__ int d[]; s[threadIdx.x] = p[0];
  d[threadIdx.x] = s[255 - threadIdx.x]; __syncthreads(); p[threadIdx.x] = d[threadIdx.x]; }
int main() {
  float* f; double* d;
  cudaMalloc(&f, 4096); cudaMalloc(&d, 4096);
  deep::scale<float, 4><<<dim3(2, 3), dim3(16, 2)>>>(f);
  deep::scale<float, 4><<<dim3(2, 3), dim3(16, 2)>>>(f);
  deep::scale<float, 4><<<1, 8>>>(f);
  deep::scale<double, 2><<<1, 8>>>(d);
  shared_user<<<1, 256, 1024>>>((int*)f);
  return cudaDeviceSynchronize();
}
)");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result),
            "deep::scale<float, 4> 2x3x1 16x2x1 2\ndeep::scale<float, 4> 1x1x1 8x1x1 1\n"
            "deep::scale<double, 2> 1x1x1 8x1x1 1\nshared_user 1x1x1 256x1x1 1\n");
  if (result.proof == "cupti") {
    EXPECT_EQ(result.kernels.back().shared_bytes, 2048u);
  }
}

TEST_F(GpuExecutorTest, GraphsAndStreamsAreCounted) {
  const Run result = run(R"(
__global__ void node(int* p) { atomicAdd(p, 1); }
int main() {
  int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);
  cudaStream_t stream; cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 3; ++i) node<<<2, 1, 0, stream>>>(p);
  cudaGraph_t graph; cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t run; cudaGraphInstantiate(&run, graph, 0);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(run, stream);
  cudaStreamSynchronize(stream);
  int n = 0; cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  return n != 24;
}
)");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  if (result.proof == "cupti") {
    EXPECT_EQ(kernels_of(result), "node 2x1x1 1x1x1 12\n");
  }
}

TEST_F(GpuExecutorTest, WhatIsLaunchedAndNotWaitedForCounts) {
  const Run result =
      run("__global__ void k(long long n) { long long t = clock64(); while (clock64() - t < n) {} }\n"
          "int main() { k<<<1, 1>>>(50000000); return 0; }");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result), "k 1x1x1 1x1x1 1\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 5);
}

TEST_F(GpuExecutorTest, ManyThreadsCompileBesideOneQueue) {
  std::vector<std::thread> threads;
  std::vector<std::string> answers(6);
  for (size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&, i] {
      const base::TemporaryFolder folder;
      base::write_file_atomic(folder / "t.cu",
                              fmt::format("#include <cstdio>\n__global__ void k{0}() {{}}\nint main() {{ "
                                          "k{0}<<<1, 1>>>(); cudaDeviceSynchronize(); std::puts(\"{0}\"); }}",
                                          i));
      const Build built = executor().build(folder / "t.cu", {});
      RunOptions options;
      options.folder = folder.path();
      const Run result = executor().run(built, options);
      answers[i] = result.process.output + kernels_of(result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < answers.size(); ++i)
    EXPECT_EQ(answers[i], fmt::format("{0}\nk{0} 1x1x1 1x1x1 1\n", i));
}

TEST(WithoutDevice, TheExecutorSaysWhatToDoInstead) {
  if (probe_gpu(0, ProbeDepth::kDescribe).device) GTEST_SKIP() << "there is a device here";
  const std::string message = support::error_of([] { make_gpu_executor({}); });
  EXPECT_NE(message.find("no GPU to run on"), std::string::npos) << message;
  EXPECT_NE(message.find("--executor cpu"), std::string::npos) << message;
}

}  // namespace
}  // namespace cuset::execute
