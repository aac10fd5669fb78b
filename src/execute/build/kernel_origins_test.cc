#include "execute/build/kernel_origins.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

std::string shown(const std::vector<KernelOrigin>& origins) {
  std::string text;
  for (const KernelOrigin& origin : origins) text += fmt::format("{} in '{}'\n", origin.name, origin.file);
  return text;
}

TEST(KernelFiles, HaveALineForEachKernel) {
  EXPECT_EQ(shown(parse_kernel_files("_Z1kPf\tanswer.cu\n_Z1lPf\t\nno tab\n_Z1mPf\t/usr/include/a b.h\n")),
            "_Z1kPf in 'answer.cu'\n_Z1lPf in ''\n_Z1mPf in '/usr/include/a b.h'\n");
  EXPECT_TRUE(parse_kernel_files("").empty());
}

constexpr const char* kPtx =
    ".version 9.0\n"
    "\t.file\t1 \"/b/answer.cu\"\n"
    ".visible .entry _Z3ownPf(\n\t.param .u64 _Z3ownPf_param_0\n)\n{\n"
    "\t.loc\t1 9 0\n\tret;\n}\n"
    ".entry _Z4plugv()\n{\n\t.loc\t1 3 1, function_name $L__info_string0, inlined_at 2 5 34\n\t.loc\t2 5 0\n}\n"
    ".visible .entry _Z5blankv()\n{\n\tret;\n}\n"
    "\t.file\t2 \"/usr/include/library.h\"\n";

TEST(PtxOrigins, AreTheFirstLinesOfTheKernelsThemselves) {
  EXPECT_EQ(shown(parse_ptx_origins(kPtx)),
            "_Z3ownPf in '/b/answer.cu'\n_Z4plugv in '/usr/include/library.h'\n_Z5blankv in ''\n");
}

// What inline assembly adds is text of the answer's own.
TEST(PtxOrigins, InlineAssemblyChangesNothing) {
  const std::string library =
      ".visible .entry _Z3libPf(\n)\n{\n\t.loc\t2 5 0\n"
      "\t// begin inline asm\n\t.loc 1 1 0\n/*\n.file 2 \"/b/answer.cu\"\n*/\n\t// end inline asm\n}\n"
      ".entry _Z5emptyv()\n{\n\t// begin inline asm\n.loc 1 1 0\n\t// end inline asm\n}\n";
  EXPECT_EQ(shown(parse_ptx_origins(std::string(kPtx) + library)),
            "_Z3ownPf in '/b/answer.cu'\n_Z4plugv in ''\n_Z5blankv in ''\n_Z3libPf in ''\n_Z5emptyv in ''\n");
}

TEST(OwnKernels, AreThoseOfFilesInTheFolder) {
  const std::vector<KernelOrigin> origins{
      {"_Z1aPf", "answer.cu"},           {"_Z1bPf", "./part/b.h"},       {"_Z1cPf", "/b/c.h"},
      {"_Z1dPf", "/usr/include/d.h"},    {"_Z1ePf", "../b2/e.h"},        {"_Z1fPf", ""},
      {"_Z1gPf", "/b/../usr/include/g"}, {"_Z1hPf", "part/../../b2/h.h"}};
  EXPECT_EQ(own_kernel_names(origins, "/b"),
            (std::vector<std::string>{"a", "a(float*)", "b", "b(float*)", "c", "c(float*)"}));
  EXPECT_TRUE(has_library_kernels(origins, "/b"));
  EXPECT_FALSE(has_library_kernels({{"_Z1aPf", "answer.cu"}}, "/b/"));
}

// A record has one form of a name, without parameters or cut off: what could be either is not the answer's.
TEST(OwnKernels, HaveNamesThatNoOtherKernelHas) {
  const std::string long_name(300, 'x');
  EXPECT_EQ(
      own_kernel_names({{"_ZN4mine3sumEPf", "answer.cu"}, {"_ZN4mine3sumEi", "/usr/include/sum.h"}}, "/b"),
      std::vector<std::string>{"mine::sum(float*)"});
  EXPECT_TRUE(
      own_kernel_names({{"a" + long_name + "1", "answer.cu"}, {"a" + long_name + "2", "/usr/x.h"}}, "/b")
          .empty());
}

TEST(LibraryKernels, AreLookedForInPreprocessedText) {
  const auto found = [](const std::string& text) { return may_hold_library_kernels(text, "/b"); };
  const std::string own = "# 1 \"answer.cu\"\n__attribute__((global)) void k() {}\n";
  const std::string header = "# 1 \"/usr/include/x.h\" 1 3\n";
  EXPECT_FALSE(found(own));
  EXPECT_TRUE(found(header + "__attribute__((global)) void k() {}\n"));
  EXPECT_TRUE(found(header + "__attribute__((\n# 7 \"/usr/include/x.h\" 3 4\nglobal\n)) void k() {}\n"));
  EXPECT_TRUE(found(header + "[[gnu::__global__]] void k() {}\n"));
  EXPECT_TRUE(
      found(header + "struct S;\n# 3 \"/usr/include/y.h\" 2\n__attribute__((device, global)) void k();"));
  EXPECT_FALSE(found(header + "struct S;\n# 2 \"answer.cu\" 2\n__attribute__((global)) void k() {}\n"));
  EXPECT_FALSE(found(header + "asm(\"ld.global.nc\"); asm(\"global\"); int global_size, __global__2;\n"));
  EXPECT_FALSE(found(header + "static locale\n    global(const locale& l);\n"));
  EXPECT_TRUE(found("__attribute__((global)) void k();"));  // of a file that is not known
}

TEST(LibraryIncludes, AreGuessedFromTheText) {
  EXPECT_TRUE(may_include_library("int a;\n # include <cub/cub.cuh>\n"));
  EXPECT_TRUE(may_include_library("#include \"kernels.cuh\"\n"));
  EXPECT_FALSE(may_include_library("#include <cstdio>\n// see include/a.h\n#define A 1 / 2\n"));
}

}  // namespace
}  // namespace cuset::execute
