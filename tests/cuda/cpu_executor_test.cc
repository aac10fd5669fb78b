// The CPU executor as other modules use it: its cache, outcomes, and many builds at once. Skipped where it
// cannot work.
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/remove_folder.h"
#include "base/files/temporary_folder.h"
#include "emulator/toolchain.h"
#include "execute/build/nvcc_search.h"
#include "execute/executor.h"
#include "support/scoped_variable.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

class CpuExecutor : public testing::Test {
 protected:
  using Run = cuset::execute::Run;  // not that of testing::Test

  void SetUp() override {
    execute::ExecutorSettings settings;
    settings.cache = folder_ / "cache";
    try {
      executor_ = execute::make_cpu_executor(settings);
    } catch (const base::Error& error) {
      GTEST_SKIP() << error.one_line();
    }
    fs::create_directories(folder_ / "work");
  }

  fs::path source(const std::string& name, const std::string& text) {
    base::write_file_atomic(folder_ / name, text);
    return folder_ / name;
  }

  Run run(const std::string& text) {
    const execute::Build build = executor_->build(source("program.cu", text), {});
    EXPECT_TRUE(build.done()) << build.messages;
    execute::RunOptions options;
    options.folder = folder_ / "work";
    return executor_->run(build, options);
  }

  base::TemporaryFolder folder_;
  std::unique_ptr<execute::Executor> executor_;
};

// clang alone cannot tell an error from what the emulator does not have.
TEST_F(CpuExecutor, WhatClangRefusesIsAnErrorUnlessNvccCompilesAllOfIt) {
  if (!execute::find_nvcc()) GTEST_SKIP() << "skipped: nvcc is not installed";
  const auto outcome = [&](const std::string& text) {
    return executor_->build(source("program.cu", text), {}).outcome;
  };
  EXPECT_EQ(outcome("__global__ void k(int* x) { *x = missing; }\nint main() {}\n"),
            execute::Build::Outcome::kCompileError);
  // Compiling device code alone does not read this template.
  EXPECT_EQ(outcome("template <typename T>\nvoid keep(T value) { other(value, missing); }\nint main() {}\n"),
            execute::Build::Outcome::kCompileError);
  EXPECT_EQ(outcome("__global__ void k() {}\nint main() { (void)(threadIdx.x == 1); }\n"),
            execute::Build::Outcome::kUnsupported);
}

// The device has clusters for programs that name them, unless these are compiled for one without.
TEST_F(CpuExecutor, ClustersNeedAnArchitectureThatHasThem) {
  const std::string text =
      "#include <cstdio>\n__global__ void __cluster_dims__(2) k() {}\nint main() {\n  cudaDeviceProp p;\n"
      "  cudaGetDeviceProperties(&p, 0);\n  k<<<2, 1>>>();\n  std::printf(\"%d %d\", p.major, p.clusterLaunch);\n}\n";
  EXPECT_EQ(run(text).process.output, "9 1");
  execute::BuildOptions options;
  options.architecture = "sm_80";
  EXPECT_EQ(executor_->build(source("program.cu", text), options).outcome,
            execute::Build::Outcome::kCompileError);
  EXPECT_EQ(run("#include <cstdio>\nint main() {\n  cudaDeviceProp p;\n  cudaGetDeviceProperties(&p, 0);\n"
                "  std::printf(\"%d %d\", p.major, p.clusterLaunch);\n}\n")
                .process.output,
            "8 0");
}

TEST_F(CpuExecutor, TheSameBuildIsMadeOnce) {
  const fs::path file = source("a.cu", "int main() { return 0; }\n");
  const execute::Build first = executor_->build(file, {});
  ASSERT_TRUE(first.done()) << first.messages;
  EXPECT_FALSE(first.cached);
  const execute::Build second = executor_->build(file, {});
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.program, first.program);
  execute::BuildOptions checked;
  checked.check = true;
  EXPECT_FALSE(executor_->build(file, checked).cached);
}

TEST_F(CpuExecutor, ASumWithoutAStartIsNotRightByChance) {
  const Run summed = run(R"(__global__ void sum(const float* x, float* y, int n) {
  float s;
  for (int i = threadIdx.x; i < n; i += 32) s += x[i];
  y[threadIdx.x] = s;
}
int main() {
  float *x, *y;
  cudaMallocManaged(&x, 256);
  cudaMallocManaged(&y, 128);
  for (int i = 0; i < 64; ++i) x[i] = 1.0f;
  sum<<<1, 32>>>(x, y, 64);
  cudaDeviceSynchronize();
  return y[0] == 2.0f;
}
)");
  EXPECT_EQ(summed.outcome, Run::Outcome::kDone) << summed.explanation;
}

// Two installations share the user's cache; each program finds the runtime it was linked with.
TEST_F(CpuExecutor, AnotherInstallationsProgramIsNotTaken) {
  const fs::path other = folder_ / "emulator";
  fs::copy(emulator::find_emulator_toolchain().toolchain->runtime_folder, other, fs::copy_options::recursive);
  execute::ExecutorSettings settings;
  settings.cache = folder_ / "cache";
  const fs::path file = source("a.cu", "int main() { return 3; }\n");
  const execute::Build moved = [&] {
    const support::ScopedVariable chosen("CUSET_EMULATOR", other.string());
    return execute::make_cpu_executor(settings)->build(file, {});
  }();
  ASSERT_TRUE(moved.done()) << moved.messages;
  base::remove_folder(other);
  const execute::Build own = executor_->build(file, {});
  EXPECT_FALSE(own.cached);
  execute::RunOptions options;
  options.folder = folder_ / "work";
  EXPECT_EQ(executor_->run(own, options).process.exit_status, 3);
}

TEST_F(CpuExecutor, AChangedHeaderMeansANewBuild) {
  fs::create_directories(folder_ / "include");
  base::write_file_atomic(folder_ / "include/value.h", "#define VALUE 3\n");
  const fs::path file = source("a.cu", "#include \"value.h\"\nint main() { return VALUE; }\n");
  execute::BuildOptions options;
  options.include_folders = {folder_ / "include"};
  execute::RunOptions run_options;
  run_options.folder = folder_ / "work";
  EXPECT_EQ(executor_->run(executor_->build(file, options), run_options).process.exit_status, 3);
  base::write_file_atomic(folder_ / "include/value.h", "#define VALUE 4\n");
  EXPECT_EQ(executor_->run(executor_->build(file, options), run_options).process.exit_status, 4);
}

TEST_F(CpuExecutor, ErrorsAreKeptAndNameEachUsersFile) {
  const std::string text = "int main() { return missing; }\n";
  fs::create_directories(folder_ / "other");
  const execute::Build first = executor_->build(source("a.cu", text), {});
  EXPECT_EQ(first.outcome, execute::Build::Outcome::kCompileError);
  EXPECT_NE(first.messages.find((folder_ / "a.cu").string() + ":1:21: error: "), std::string::npos)
      << first.messages;
  const execute::Build second = executor_->build(source("other/a.cu", text), {});
  EXPECT_TRUE(second.cached);
  EXPECT_NE(second.messages.find((folder_ / "other/a.cu").string() + ":1:21: error: "), std::string::npos);
}

TEST_F(CpuExecutor, MissingFunctionsOfTheProgramAreLinkErrors) {
  const execute::Build build =
      executor_->build(source("a.cu", "int other();\nint main() { return other(); }\n"), {});
  EXPECT_EQ(build.outcome, execute::Build::Outcome::kLinkError) << build.messages;
}

TEST_F(CpuExecutor, EndlessLoopsOfTheHostAreKept) {
  const execute::Build build = executor_->build(source("program.cu", "int main() { for (;;) {} }\n"), {});
  ASSERT_TRUE(build.done()) << build.messages;
  execute::RunOptions options;
  options.folder = folder_ / "work";
  options.limits.wall_time = std::chrono::milliseconds(200);
  EXPECT_EQ(executor_->run(build, options).outcome, Run::Outcome::kTimeout);
}

TEST_F(CpuExecutor, HostFilesCannotBeCompiledIn) {
  base::write_file_atomic(folder_ / "secret", "in vain");
  const std::string path = (folder_ / "secret").string();
  const execute::Build included =
      executor_->build(source("a.cu", "#include \"" + path + "\"\nint main() {}\n"), {});
  EXPECT_EQ(included.outcome, execute::Build::Outcome::kCompileError);
  EXPECT_EQ(included.messages.find("in vain"), std::string::npos) << included.messages;
  const execute::Build binary =
      executor_->build(source("b.cu", "asm(\".incbin \\\"" + path + "\\\"\");\nint main() {}\n"), {});
  EXPECT_FALSE(binary.done());
}

TEST_F(CpuExecutor, OwnStatus87IsNotUnsupported) {
  const Run run = this->run("int main() { return 87; }\n");
  EXPECT_EQ(run.outcome, Run::Outcome::kFailed);
}

TEST_F(CpuExecutor, KernelsAreCountedByShape) {
  const Run run = this->run(
      "__global__ void k() {}\n"
      "int main() { for (int i = 0; i < 3; ++i) k<<<2, 32>>>(); k<<<1, dim3(8, 4)>>>(); "
      "cudaDeviceSynchronize(); }\n");
  EXPECT_EQ(run.outcome, Run::Outcome::kDone);
  EXPECT_EQ(run.proof, "emulator");
  ASSERT_EQ(run.kernels.size(), 2u);
  EXPECT_EQ(run.kernels[0].launches, 3u);
  EXPECT_EQ(run.kernels[1].block[1], 4u);
}

TEST_F(CpuExecutor, TheFolderHoldsOnlyWhatTheProgramWrote) {
  EXPECT_EQ(run("int main() {}\n").outcome, Run::Outcome::kDone);
  EXPECT_TRUE(fs::is_empty(folder_ / "work"));
}

TEST_F(CpuExecutor, ManyBuildAtOnce) {
  std::vector<std::future<execute::Build>> builds;
  for (int i = 0; i < 4; ++i) {
    const fs::path file =
        source(fmt::format("{}.cu", i), fmt::format("int main() {{ return {}; }}\n", i / 2));
    builds.push_back(std::async(std::launch::async, [this, file] { return executor_->build(file, {}); }));
  }
  for (int i = 0; i < 4; ++i) {
    const execute::Build build = builds[i].get();
    ASSERT_TRUE(build.done()) << build.messages;
    const fs::path work = folder_ / fmt::format("work/{}", i);
    fs::create_directories(work);
    execute::RunOptions options;
    options.folder = work;
    EXPECT_EQ(executor_->run(build, options).process.exit_status, i / 2);
  }
}

// Each thread's values by inline PTX; main compares them with C++'s.
constexpr const char* kInlinePtx = R"(
#include <cstdio>
__global__ void work(unsigned* out, const unsigned* in, float* real) {
  const unsigned t = threadIdx.x, x = in[t];
  unsigned a, b, c, d, e, f, g, lo, hi;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(t % 40), "r"(5));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(b) : "r"(0x15u), "r"(x), "r"(t % 30), "r"(3));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(c) : "r"(x), "r"(t), "r"(0xff00ffu));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(t), "r"(0x0123u));
  asm("shl.b32 %0, %1, %2;" : "=r"(e) : "r"(x), "r"(t));  // t reaches 63
  asm volatile("{ .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, 1, 0, 0xffffffff;"
               "  @p add.u32 r0, r0, %1; @!p mov.u32 r0, 7; mov.u32 %0, r0; }" : "=r"(f) : "r"(x));
  asm("{ .reg .pred q; setp.lt.u32 q, %1, 100; selp.u32 %0, 1, 2, q; }" : "=r"(g) : "r"(x));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(0x100000000ull * t + x));
  unsigned short half;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(half) : "l"(in + t));
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(1.5f), "f"((float)t), "f"(0.25f));
  real[t] = r;
  const unsigned all[] = {a, b, c, d, e, f, g, lo, hi, half};
  for (int i = 0; i < 10; ++i) out[10 * t + i] = all[i];
}
int main() {
  unsigned *out, *in;
  float* real;
  cudaMallocManaged(&out, 640 * 4); cudaMallocManaged(&in, 64 * 4); cudaMallocManaged(&real, 64 * 4);
  for (unsigned t = 0; t < 64; ++t) in[t] = t * 2654435761u;
  work<<<1, 64>>>(out, in, real);
  if (cudaDeviceSynchronize()) return 1;
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned x = in[t], at = t % 30;
    const unsigned wanted[] = {
        t % 40 < 32 ? x >> t % 40 & 31 : 0, (x & ~(7u << at)) | 5u << at, x ^ t ^ 0xff00ffu, __builtin_bswap32(x),
        t < 32 ? x << t : 0, t % 32 ? in[t - 1] + x : 7, x < 100 ? 1u : 2u, x, t, x & 0xffff};
    for (int i = 0; i < 10; ++i)
      if (out[10 * t + i] != wanted[i]) return printf("[%u][%d] %x, wanted %x\n", t, i, out[10 * t + i], wanted[i]), 1;
    if (real[t] != 1.5f * t + 0.25f) return printf("[%u] %g\n", t, real[t]), 1;
  }
  puts("PASS");
}
)";

TEST_F(CpuExecutor, InlinePtxMeansWhatItMeansOnAGpu) { EXPECT_EQ(run(kInlinePtx).process.output, "PASS\n"); }

// A rounding that is not known would change the result.
TEST_F(CpuExecutor, UnknownPtxIsNamedWhenReached) {
  const Run reached =
      run("__global__ void k(float* x) { asm(\"add.rz.f32 %0, %0, %0;\" : \"+f\"(*x)); }\n"
          "int main() { float* x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize(); }\n");
  EXPECT_EQ(reached.outcome, Run::Outcome::kUnsupported);
}

// Programs seldom look at what cuFFT returns.
TEST_F(CpuExecutor, TransformsOfHalfAreNamedWhenReached) {
  const Run reached = run(
      "#include <cufftXt.h>\n"
      "int main() {\n"
      "  cufftHandle plan;\n"
      "  cufftCreate(&plan);\n"
      "  long long n = 8;\n"
      "  size_t bytes;\n"
      "  cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 8, CUDA_C_16F, nullptr, 1, 8, CUDA_C_16F, 1, &bytes, "
      "CUDA_C_16F);\n"
      "}\n");
  EXPECT_EQ(reached.outcome, Run::Outcome::kUnsupported);
}

}  // namespace
}  // namespace cuset::tests
