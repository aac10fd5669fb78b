// These compile with the real nvcc, inside the sandbox; no GPU is needed.
#include "execute/build/nvcc_compiler.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSaxpy = R"(
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() { saxpy<<<1, 32>>>(0, 2.f, nullptr, nullptr); return 0; }
)";

class NvccCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::optional<Nvcc> nvcc = find_nvcc();
    if (!nvcc) GTEST_SKIP() << "skipped: no nvcc";
    toolkit_ = find_toolkit(*nvcc);
    options_.architecture = "sm_80";
  }

  NvccCompiler compiler(NvccSettings settings = {}) const { return NvccCompiler(toolkit_, settings); }
  Build build(const std::string& text, NvccSettings settings = {}) const {
    return compiler(settings).build({"saxpy.cu", text}, options_, folder_.path());
  }
  Build check(const std::string& text) const {
    return compiler().check({"saxpy.cu", text}, options_, folder_.path());
  }

  NvccToolkit toolkit_;
  BuildOptions options_;
  base::TemporaryFolder folder_;
};

TEST_F(NvccCompilerTest, BuildsAProgramAndLeavesNothingElse) {
  const Build built = build(kSaxpy);
  ASSERT_TRUE(built.done()) << built.messages;
  EXPECT_EQ(built.program, folder_ / "program");
  EXPECT_TRUE(fs::is_regular_file(built.program));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
  EXPECT_NE(built.command.find("-arch=sm_80 -std=c++17 -O3"), std::string::npos) << built.command;
  EXPECT_EQ(built.command.find(folder_.path().string()), std::string::npos) << built.command;
  EXPECT_EQ(built.compiler.substr(0, 5), "nvcc ");
  EXPECT_GT(built.seconds, 0);
}

TEST_F(NvccCompilerTest, ErrorsOfDeviceHostAndAssemblerAreCompileErrors) {
  const char* const sources[] = {"__global__ void k(float* y) { y[0] = z; }\nint main() {}",
                                 "__global__ void k() {}\nint main() { nowhere::f(); }",
                                 "__global__ void k() { asm volatile(\"foo.bar;\"); }\nint main() {}"};
  for (const char* source : sources) {
    const Build checked = check(source);
    EXPECT_EQ(checked.outcome, Build::Outcome::kCompileError) << source;
    EXPECT_NE(checked.messages.find("error"), std::string::npos);
    EXPECT_EQ(checked.messages.find("tmpxft"), std::string::npos) << checked.messages;
    EXPECT_EQ(checked.messages.find(folder_.path().string()), std::string::npos) << checked.messages;
  }
  EXPECT_EQ(check(sources[0]).messages.substr(0, 12), "saxpy.cu(1):");
  EXPECT_EQ(build(sources[0]).outcome, Build::Outcome::kCompileError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(NvccCompilerTest, AMissingFunctionIsALinkError) {
  const Build built = build("void nowhere(); __global__ void k() {} int main() { nowhere(); }");
  EXPECT_EQ(built.outcome, Build::Outcome::kLinkError);
  EXPECT_NE(built.messages.find("undefined reference"), std::string::npos) << built.messages;
}

TEST_F(NvccCompilerTest, FilesOfTheHostCannotBeRead) {
  const base::TemporaryFolder secrets;
  base::write_file_atomic(secrets / "secret.h", "#define SECRET 1\n");
  const std::string path = (secrets / "secret.h").string();
  EXPECT_EQ(check("#include \"" + path + "\"\nint main() { return SECRET; }").outcome,
            Build::Outcome::kCompileError);
  const std::string assembler =
      "asm(\".section .rodata\\n.incbin \\\"" + path + "\\\"\\n.previous\");\nint main() {}";
  EXPECT_FALSE(build(assembler).done());
  EXPECT_FALSE(check("#include \"/etc/shadow\"\nint main() {}").done());
}

TEST_F(NvccCompilerTest, IncludeFoldersAndDefinesReachTheSource) {
  const base::TemporaryFolder headers;
  base::write_file_atomic(headers / "size.h", "constexpr int kSize = SIZE;\n");
  options_.include_folders = {headers.path()};
  options_.defines = {"SIZE=7"};
  EXPECT_TRUE(check("#include \"size.h\"\nstatic_assert(kSize == 7);\nint main() {}").done());
}

// A source of a few kilobytes that keeps the compiler busy for minutes.
std::string compile_bomb() {
  std::string text = "template <int N> __device__ float f(float x) { ";
  text += "return f<N - 1>(x + N) * f<N - 1>(x * N); }\n";
  text += "template <> __device__ float f<0>(float x) { return sinf(x); }\n";
  return text + "__global__ void k(float* p) { p[0] = f<25>(p[0]); }\nint main() { k<<<1, 1>>>(nullptr); }\n";
}

TEST_F(NvccCompilerTest, ACompileBombEndsInTime) {
  NvccSettings settings;
  settings.limits.wall_time = std::chrono::milliseconds(1500);
  const Build built = build(compile_bomb(), settings);
  EXPECT_EQ(built.outcome, Build::Outcome::kTimeout) << built.messages.substr(0, 500);
  EXPECT_NE(built.messages.find("the compiler was killed after 1.5 s"), std::string::npos) << built.messages;
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(NvccCompilerTest, TheDigestHoldsAllThatDecides) {
  const CudaSource source{"a/saxpy.cu", kSaxpy};
  const std::string digest = compiler().digest(source, options_, "build");
  EXPECT_EQ(compiler().digest({"b/saxpy.cu", kSaxpy}, options_, "build"), digest);
  EXPECT_NE(compiler().digest({"a/other.cu", kSaxpy}, options_, "build"), digest);
  EXPECT_NE(compiler().digest({"a/saxpy.cu", "int main() {}"}, options_, "build"), digest);
  EXPECT_NE(compiler().digest(source, options_, "check"), digest);
  NvccSettings shared;
  shared.shared_runtime = true;
  EXPECT_NE(compiler(shared).digest(source, options_, "build"), digest);
  BuildOptions changed = options_;
  changed.optimization = 0;
  EXPECT_NE(compiler().digest(source, changed, "build"), digest);
  changed = options_;
  changed.libraries = {"cublas"};
  EXPECT_NE(compiler().digest(source, changed, "build"), digest);
}

TEST(BuildOptions, ValuesThatNvccCouldNotTakeAreRefused) {
  const auto refusal = [](auto change) {
    BuildOptions options;
    options.architecture = "sm_90a";
    change(options);
    return support::error_of([&] { check_build_options(options); });
  };
  EXPECT_EQ(refusal([](BuildOptions&) {}), "no error");
  EXPECT_NE(refusal([](BuildOptions& o) { o.standard = "c++17 -o /x"; }), "no error");
  EXPECT_NE(refusal([](BuildOptions& o) { o.optimization = 4; }), "no error");
  for (const char* name : {"", "sm_", "sm_9", "sm_9000", "compute_90", "native", "sm_90x", "sm_90 -o"}) {
    EXPECT_NE(refusal([&](BuildOptions& o) { o.architecture = name; }), "no error") << name;
  }
}

TEST_F(NvccCompilerTest, WhereKernelsAreAskedForOnlyRegisteredOnesCount) {
  options_.companions.isolation = Isolation::kKernels;
  options_.companions.wrap_main = true;
  options_.companions.plain_sources = {
      {"start.cc",
       "extern \"C\" const void* const cuset_entry;\n"
       "extern \"C\" int __wrap_main(int, char**) { return cuset_entry == nullptr; }\n"}};
  const std::string head =
      "__global__ void scale(float* y);\n#ifndef __CUDA_ARCH__\n"
      "extern \"C\" __attribute__((visibility(\"hidden\"), used)) const void* const cuset_entry = "
      "reinterpret_cast<const void*>(&scale);\n#endif\n";
  const std::string kernel = "__global__ void scale(float* y) { y[0] = 1; }\n";
  const Build fine = build(head + kernel);
  EXPECT_TRUE(fine.done()) << fine.messages;
  const Build label =
      build(head +
            "void host(float* y) __asm__(\"_Z5scalePf\");\nvoid host(float* y) { y[0] = 1; }\n"
            "namespace other { __global__ void scale(float* y) { y[0] = 2; } }\n");
  EXPECT_EQ(label.outcome, Build::Outcome::kHack) << label.messages;
  const Build early = build(head + kernel +
                            "int f();\nint g = f();\nint f() { return 1 + (g == 0); }\n"
                            "struct S { S(); } s;\nS::S() { g = 2; }\n");
  EXPECT_EQ(early.outcome, Build::Outcome::kRejected) << early.messages;
  const Build interposed = build(head + kernel + "extern \"C\" int chdir(const char*) { return 0; }\n");
  EXPECT_EQ(interposed.outcome, Build::Outcome::kHack) << interposed.messages;
}

}  // namespace
}  // namespace cuset::execute
