#include "execute/build/emulator_messages.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

TEST(EmulatorMessages, RefusalsOfThePassAreTold) {
  EXPECT_FALSE(refusal_in("a.cu:3: error: refused: x\n"));
  const auto rejected =
      refusal_in("warning: x\nerror: refused as rejected: `.byte` in inline assembly\n1 error\n");
  ASSERT_TRUE(rejected);
  EXPECT_FALSE(rejected->is_hack);
  EXPECT_EQ(rejected->text, "`.byte` in inline assembly");
  EXPECT_TRUE(refusal_in("error: refused as hack: `early` runs before or after `main`\n")->is_hack);
}

TEST(EmulatorMessages, UnsupportedConstructsAreNamedOnce) {
  const char* text =
      "a.cu:3: error: \"unsupported: cuBLAS\"\n"
      "    3 | #error \"unsupported: cuBLAS\"\n"
      "error: unsupported: inline PTX: mma.sync\n";
  EXPECT_EQ(unsupported_constructs(text), (std::vector<std::string>{"cuBLAS", "inline PTX: mma.sync"}));
  EXPECT_TRUE(unsupported_constructs("error: not supported: x").empty());
}

TEST(EmulatorMessages, FollowUpErrorsOfWhatIsUnsupportedAreCounted) {
  const char* text =
      "In file included from a.cu:1:\n"
      "cudnn.h:4:2: error: \"unsupported: cuDNN\"\n"
      "    4 | #error \"unsupported: cuDNN\"\n"
      "a.cu:4:14: error: unknown type name 'cudnnHandle_t'\n"
      "    4 | int main() {\n"
      "a.cu:5:14: error: unknown type name 'cudnnTensorDescriptor_t'\n"
      "    5 | x\n";
  EXPECT_EQ(without_follow_up_errors(text),
            "In file included from a.cu:1:\n"
            "cudnn.h:4:2: error: \"unsupported: cuDNN\"\n"
            "    4 | #error \"unsupported: cuDNN\"\n"
            "2 more errors that may follow from this are not shown\n");
  EXPECT_EQ(what_is_unsupported(text), "cuDNN");
}

TEST(EmulatorMessages, WithoutANamedConstructTheFirstErrorIsShown) {
  const char* text =
      "a.cu:1:2: warning: w\n"
      "a.cu:2:2: error: first\n"
      "    2 | x\n"
      "a.cu:3:2: error: second\n"
      "nvcc compiles this program; unsupported: first\n";
  EXPECT_EQ(without_follow_up_errors(text),
            "a.cu:2:2: error: first\n"
            "    2 | x\n"
            "1 more error that may follow from this is not shown\n"
            "nvcc compiles this program; unsupported: first\n");
  EXPECT_EQ(what_is_unsupported("a.cu:2:2: error: first\n"), "first");
}

TEST(EmulatorMessages, LaunchesFromKernelsAreDynamicParallelism) {
  EXPECT_TRUE(names_dynamic_parallelism(
      "a.cu:3:34: error: reference to __global__ function 'child' in __global__ function\n"));
  EXPECT_TRUE(names_dynamic_parallelism(
      "a.cu(3): error: kernel launch from __device__ or __global__ functions requires separate compilation mode\n"));
  EXPECT_FALSE(names_dynamic_parallelism("a.cu:3:34: error: use of undeclared identifier 'child'\n"));
}

TEST(EmulatorMessages, ALineFullOfMarksIsOneConstruct) {
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "unsupported: ";
  EXPECT_EQ(unsupported_constructs(line + "\n").size(), 1u);
}

TEST(EmulatorMessages, DiagnosticsOfBothCompilationsAreShownOnce) {
  const char* host =
      "In file included from a.cu:1:\n"
      "b.h:2:1: warning: both\n"
      "    2 | x\n"
      "a.cu:4:2: error: host only\n"
      "a.cu:2:2: note: declared here\n"
      "1 warning and 1 error generated when compiling for host.\n";
  const char* device =
      "In file included from a.cu:1:\n"
      "b.h:2:1: warning: both\n"
      "    2 | x\n"
      "a.cu:9:2: error: device only\n"
      "1 warning and 1 error generated when compiling for host.\n";
  EXPECT_EQ(merged_messages(host, device),
            "In file included from a.cu:1:\n"
            "b.h:2:1: warning: both\n"
            "    2 | x\n"
            "a.cu:4:2: error: host only\n"
            "a.cu:2:2: note: declared here\n"
            "a.cu:9:2: error: device only\n");
  EXPECT_EQ(merged_messages("", ""), "");
}

TEST(EmulatorMessages, MissingFunctionsOfCudaAreToldFromTheProgramsOwn) {
  const char* text =
      "ld: a.o: in function `main':\n"
      "a.cu:(.text+0x1): undefined reference to `cublasCreate_v2'\n"
      "a.cu:(.text+0x9): undefined reference to `cublasCreate_v2'\n"
      "a.cu:(.text+0xa): undefined reference to `my_function(int)'\n"
      "mold: error: undefined symbol: cudaGraphLaunch\n"
      "a.cu:(.text+0xb): undefined reference to `cut'\n";
  EXPECT_EQ(undefined_cuda_functions(text), (std::vector<std::string>{"cublasCreate_v2", "cudaGraphLaunch"}));
}

TEST(EmulatorMessages, UndeclaredNamesOfLibrariesAreToldFromTheProgramsOwn) {
  const char* text =
      "a.cu:3:1: error: use of undeclared identifier 'cublasCgemm3m'; did you mean 'cublasSgemm'?\n"
      "a.cu:4:1: error: unknown type name 'cusparseSpGEMMReuse_t'\n"
      "a.cu:5:1: error: use of undeclared identifier 'cublasCgemm3m'\n"
      "a.cu:6:1: error: use of undeclared identifier 'cudaMaloc'\n"
      "a.cu:7:1: error: use of undeclared identifier 'cublas_handle'\n"
      "a.cu:8:1: error: use of undeclared identifier 'x'\n";
  EXPECT_EQ(undeclared_library_names(text),
            (std::vector<std::string>{"cublasCgemm3m", "cusparseSpGEMMReuse_t"}));
}

TEST(EmulatorMessages, TheFirstErrorIsQuoted) {
  EXPECT_EQ(first_error("a.cu:1:2: warning: w\na.cu:2:3: error: use of 'x'\na.cu:4:1: error: y\n"),
            "use of 'x'");
  EXPECT_EQ(first_error("a.cu:1:2: warning: w\n"), "");
}

TEST(EmulatorMessages, MissingHeadersAreRecognized) {
  EXPECT_EQ(missing_include("a.cu:1:10: fatal error: 'own.h' file not found\n"), "own.h");
  EXPECT_EQ(missing_include("a.cu:1:10: fatal error: own.h: No such file or directory\n"), "own.h");
  EXPECT_EQ(missing_include("a.cu:1:10: error: x\n"), "");
}

TEST(EmulatorMessages, HeadersOfTheToolkitAreToldFromTheProgramsOwn) {
  EXPECT_EQ(missing_cuda_header(
                "a.cu:1:10: fatal error: 'cublas_v2.h' file not found\n    1 | #include <cublas_v2.h>\n"),
            "cublas_v2.h");
  EXPECT_EQ(missing_cuda_header("a.cu:1:10: fatal error: 'cub/cub.cuh' file not found\n"), "cub/cub.cuh");
  EXPECT_EQ(missing_cuda_header(
                "a.cu:1:10: fatal error: 'custom.h' file not found\n    1 | #include \"custom.h\"\n"),
            "");
  EXPECT_EQ(missing_cuda_header("a.cu:1:10: fatal error: 'boost/any.hpp' file not found\n"), "");
}

TEST(EmulatorMessages, WhatFollowsFromALackIsLeftOut) {
  const std::string messages =
      "a.cu:1:1: error: unknown type name 'T'\n    1 | T x;\n"
      "a.cu:9:3: error: unsupported: clusters\n    9 | f();\n"
      "a.cu:10:3: error: no matching function\n";
  EXPECT_EQ(decisive_diagnostic(messages), "a.cu:9:3: error: unsupported: clusters\n    9 | f();\n");
  EXPECT_EQ(decisive_diagnostic("a.cu:1:1: error: one\na.cu:2:1: error: two\n"), "a.cu:1:1: error: one\n");
  EXPECT_EQ(decisive_diagnostic("a warning\n"), "a warning\n");
}

}  // namespace
}  // namespace cuset::execute
