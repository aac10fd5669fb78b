#include "verify/compiler_messages.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

TEST(CompilerMessages, SourceHasTheNameThatTheUserGaveIt) {
  const char* text =
      "saxpy.cu:3:5: error: x\n"
      "In file included from ./saxpy.cu:1:\n"
      "/tmp/b/saxpy.cu:4: see xsaxpy.cu and saxpy.cute\n";
  EXPECT_EQ(with_source_named(text, "/tmp/b/saxpy.cu", "examples/saxpy.cu"),
            "examples/saxpy.cu:3:5: error: x\n"
            "In file included from ./saxpy.cu:1:\n"
            "examples/saxpy.cu:4: see xsaxpy.cu and saxpy.cute\n");
  EXPECT_EQ(with_source_named("program.cu:1", "program.cu", "my kernel.cu"), "my kernel.cu:1");
  EXPECT_EQ(with_source_named("saxpy.cu:1", "saxpy.cu", "saxpy.cu"), "saxpy.cu:1");
}

TEST(CompilerMessages, OnlyPlainNamesAreKept) {
  EXPECT_EQ(name_of_copy("examples/saxpy-2.cu"), "saxpy-2.cu");
  for (const char* name : {"a b.cu", "-o.cu", ".cu", "a\n.cu", "$(x).cu", "\xc3\xa4.cu"}) {
    EXPECT_EQ(name_of_copy(name), "program.cu") << name;
  }
}

TEST(CompilerMessages, UnsupportedConstructsAreNamedOnce) {
  const char* text =
      "a.cu:3: error: \"unsupported: cuBLAS\"\n"
      "    3 | #error \"unsupported: cuBLAS\"\n"
      "error: unsupported: inline PTX: mma.sync\n";
  EXPECT_EQ(unsupported_constructs(text), (std::vector<std::string>{"cuBLAS", "inline PTX: mma.sync"}));
  EXPECT_TRUE(unsupported_constructs("error: not supported: x").empty());
}

TEST(CompilerMessages, DiagnosticsOfBothCompilationsAreShownOnce) {
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

TEST(CompilerMessages, MissingFunctionsOfCudaAreToldFromTheProgramsOwn) {
  const char* text =
      "ld: a.o: in function `main':\n"
      "a.cu:(.text+0x1): undefined reference to `cublasCreate_v2'\n"
      "a.cu:(.text+0x9): undefined reference to `cublasCreate_v2'\n"
      "a.cu:(.text+0xa): undefined reference to `my_function(int)'\n"
      "mold: error: undefined symbol: cudaGraphLaunch\n"
      "a.cu:(.text+0xb): undefined reference to `cut'\n";
  EXPECT_EQ(undefined_cuda_functions(text), (std::vector<std::string>{"cublasCreate_v2", "cudaGraphLaunch"}));
}

TEST(CompilerMessages, MissingHeadersAreRecognised) {
  EXPECT_EQ(missing_include("a.cu:1:10: fatal error: 'own.h' file not found\n"), "own.h");
  EXPECT_EQ(missing_include("a.cu:1:10: fatal error: own.h: No such file or directory\n"), "own.h");
  EXPECT_EQ(missing_include("a.cu:1:10: error: x\n"), "");
}

}  // namespace
}  // namespace cuset
