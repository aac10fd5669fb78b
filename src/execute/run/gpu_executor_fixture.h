// What tests of programs on a real GPU share; they are skipped where there is none.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "execute/run/gpu_executor.h"

namespace cuset::execute {

// Starting an executor costs a trial kernel, compiling costs seconds.
struct SharedGpuExecutor {
  base::TemporaryFolder cache;
  std::unique_ptr<GpuExecutor> executor;
};

inline SharedGpuExecutor& shared_gpu_executor() {
  static SharedGpuExecutor* const all = new SharedGpuExecutor;
  return *all;
}

class GpuExecutorTest : public testing::Test {
 protected:
  using Run = cuset::execute::Run;  // not that of testing::Test

  void SetUp() override {
    if (!probe_gpu(0, ProbeDepth::kDescribe).device) GTEST_SKIP() << "skipped: no GPU";
    if (!find_nvcc()) GTEST_SKIP() << "skipped: no GPU compiler (nvcc)";
    if (shared_gpu_executor().executor == nullptr) {
      ExecutorSettings settings;
      settings.cache = shared_gpu_executor().cache.path();
      shared_gpu_executor().executor = std::make_unique<GpuExecutor>(settings);
      std::printf("%s; kernels counted by: %s\n", shared_gpu_executor().executor->description().c_str(),
                  shared_gpu_executor().executor->recorder().name.c_str());
    }
    limits_.wall_time = std::chrono::seconds(30);
    limits_.memory = 16ull << 30;
  }

  GpuExecutor& executor() { return *shared_gpu_executor().executor; }

  Build build(const std::string& text, Isolation isolation = Isolation::kNone) {
    base::write_file_atomic(sources_ / "test.cu", text);
    BuildOptions options;
    options.companions.isolation = isolation;
    Build built = executor().build(sources_ / "test.cu", options);
    EXPECT_TRUE(built.done()) << built.messages;
    return built;
  }

  Run run(const std::string& text, std::vector<std::string> arguments = {}) {
    const Build built = build(text);
    RunOptions options;
    options.arguments = std::move(arguments);
    options.folder = folder_.path();
    options.limits = limits_;
    Run result = executor().run(built, options);
    EXPECT_EQ(result.proof, executor().recorder().name);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));  // the record is gone
    return result;
  }

  // The kernels of a run as "name grid block launches".
  static std::string kernels_of(const Run& run) {
    std::string text;
    for (const KernelLaunches& kernel : run.kernels) {
      text += fmt::format("{} {}x{}x{} {}x{}x{} {}\n", kernel.name, kernel.grid[0], kernel.grid[1],
                          kernel.grid[2], kernel.block[0], kernel.block[1], kernel.block[2], kernel.launches);
    }
    return text;
  }

  base::TemporaryFolder sources_;
  base::TemporaryFolder folder_;
  sandbox::SandboxLimits limits_;
};

inline constexpr const char* kSaxpy = R"(
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 20;
  std::vector<float> host(n, 1.f);
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMemcpy(x, host.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), n * 4, cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.f, x, y);
  cudaMemcpy(host.data(), y, n * 4, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[n - 1]);
}
)";

}  // namespace cuset::execute
