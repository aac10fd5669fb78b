#include "benchmarks/own_tests/answer_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cuset::benchmarks {
namespace {

TEST(WithoutKernels, EveryKernelReturnsAtOnce) {
  const struct {
    const char* source;
    const char* wanted;
  } rows[] = {
      {"__global__ void f(int* x) { *x = 1; }", "__global__ void f(int* x) {return; *x = 1; }"},
      {"__global__ void f()\n{\n  g();\n}\n", "__global__ void f()\n{return;\n  g();\n}\n"},
      {"template <typename T, int N>\n__global__ __launch_bounds__(N) void f(T* x) {}",
       "template <typename T, int N>\n__global__ __launch_bounds__(N) void f(T* x) {return;}"},
      {"namespace a { static __global__ void f() {} }",
       "namespace a { static __global__ void f() {return;} }"},
      {"struct S { friend __global__ void f(S s) { s.g(); } };",
       "struct S { friend __global__ void f(S s) {return; s.g(); } };"},
      {"extern \"C\" { void __global__ f() {} }", "extern \"C\" { void __global__ f() {return;} }"},
      {"#define KERNEL __global__ void\nKERNEL f() { }",
       "#define KERNEL __global__ void\nKERNEL f() {return; }"},
      {"#define HEAD(name) __global__ void name(float* x)\nHEAD(f) { x[0] = 1; }",
       "#define HEAD(name) __global__ void name(float* x)\nHEAD(f) {return; x[0] = 1; }"},
      {"#define MAKE(name) \\\n  __global__ void name(float* x) { x[0] = 1; }\nMAKE(f)",
       "#define MAKE(name) \\\n  __global__ void name(float* x) {return; x[0] = 1; }\nMAKE(f)"},
      {"__global__ void f();\n__global__ void f() {}", "__global__ void f();\n__global__ void f() {return;}"},
      {"#ifdef A\n__global__ void f(int) {\n#else\n__global__ void f(long) {\n#endif\n}",
       "#ifdef A\n__global__ void f(int) {return;\n#else\n__global__ void f(long) {return;\n#endif\n}"},
      {"__device__ int g() { return 1; }\n__global__ void f() { g(); }",
       "__device__ int g() { return 1; }\n__global__ void f() {return; g(); }"},
  };
  for (const auto& [source, wanted] : rows) {
    EXPECT_EQ(without_kernels(source).value_or("nothing"), wanted);
    const std::string changed = without_kernels(source).value_or("");
    EXPECT_EQ(std::count(changed.begin(), changed.end(), '\n'),
              std::count(source, source + std::char_traits<char>::length(source), '\n'));
  }
}

TEST(WithoutKernels, NothingWithoutABody) {
  for (const char* source :
       {"", "int main() {}", "__global__ void f();", "__device__ void f() {}", "// __global__ void f() {}",
        "const char* s = \"__global__ void f() {}\";", "#if 0\n__global__ void f() {}\n#endif"})
    EXPECT_EQ(without_kernels(source), std::nullopt) << source;
}

TEST(OwnKernels, AreNamedOnceAndUnqualified) {
  const char* source =
      "__global__ void declared();\n"
      "template <class T> __global__ void add(T* x) {}\n"
      "template <> __global__ void add<int>(int* x) {}\n"
      "namespace a { __global__ void mul() {} }\n"
      "__device__ void help() {}\n";
  EXPECT_EQ(own_kernels(source), (std::vector<std::string>{"add", "mul"}));
  EXPECT_TRUE(own_kernels("int main() {}").empty());
}

}  // namespace
}  // namespace cuset::benchmarks
