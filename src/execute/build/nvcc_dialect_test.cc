#include "execute/build/nvcc_dialect.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

TEST(NvccDialect, AlignasBehindASpecifierIsOneThatClangTakes) {
  EXPECT_EQ(in_words_of_clang("__shared__ alignas(16) float a[4]; struct alignas(8) S {};"),
            "__shared__ _Alignas(16) float a[4]; struct alignas(8) S {};");
}

TEST(NvccDialect, SpecialRegistersOfAssemblyGetASecondPercentSign) {
  EXPECT_EQ(in_words_of_clang(R"(asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); puts("%laneid");)"),
            R"(asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); puts("%laneid");)");
  const std::string doubled = R"(asm("mov.u32 %0, %%laneid;" : "=r"(x));)";
  EXPECT_EQ(in_words_of_clang(doubled), doubled);
}

TEST(NvccDialect, LaunchesInDeviceCodeBecomeCalls) {
  EXPECT_EQ(
      in_words_of_clang("__global__ void p(int n) { n::c<int, 2><<<1, f(n), 0, s>>>(n, 1); }"),
      "__global__ void p(int n) { cuset_emulator::child_grid(cuset_emulator::ChildKernel<decltype(&n::c<int, 2>), "
      "&n::c<int, 2>>::address, 1, f(n), 0, s).launch(n, 1); }");
}

TEST(NvccDialect, LaunchesInDeviceCodeStayWhereTheyAreNotAllowed) {
  const std::string source = "__global__ void k() { k<<<1, 1>>>(); }";
  EXPECT_EQ(in_words_of_clang(source, false), source);
}

TEST(NvccDialect, BracketsOfLaunchesMayHoldBlanks) {
  EXPECT_EQ(in_words_of_clang("int main() { k << < f(a >> 1), 2 >> > (x); y = a << 1; }"),
            "int main() { k <<<  f(a >> 1), 2 >>>  (x); y = a << 1; }");
  EXPECT_EQ(in_words_of_clang("int main() { k<< <1, 1>> >(); A<B<C<int> > > z; }"),
            "int main() { k<<< 1, 1>>> (); A<B<C<int> > > z; }");
}

TEST(NvccDialect, LaunchesOfTheHostStay) {
  for (
      const std::string source :
      {"__global__ void k() {}\nint main() { k<<<1, 1>>>(); }",
       "__global__ void k() {}\n__host__ __device__ void f() {\n#ifndef __CUDA_ARCH__\nk<<<1, 1>>>();\n#endif\n}",
       "int x = a <<b; // k<<<1, 1>>>();\n"})
    EXPECT_EQ(in_words_of_clang(source), source);
}

}  // namespace
}  // namespace cuset::execute
