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
      "__global__ void p(int n) { cuset_emulator::child_grid(cuset_emulator::ChildKernel<decltype(&n :: c < int , 2 >), "
      "&n :: c < int , 2 >>::address, 1, f(n), 0, s).launch(n, 1); }");
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

std::string with_own_kernel_values(const std::string& source) {
  std::set<std::string> kernels;
  add_kernel_names(source, kernels);
  return with_kernel_values(source, kernels);
}

TEST(NvccDialect, KernelsThatTheHostUsesAsValuesAreMarked) {
  const std::string kernels =
      "__global__ void __launch_bounds__(64) a(int* x) {}\n"
      "template <int n> __global__ void b(int* x) { c(a); }\n"
      "namespace n { __global__ void c(int*); }\n";
  const std::pair<const char*, const char*> rows[] = {
      {"f = a;", "f = CUSET_KERNEL_VALUE(a);"},
      {"f = &a;", "f = CUSET_KERNEL_VALUE(a);"},
      {"F f[] = {a, &b<2>, n::c};",
       "F f[] = {CUSET_KERNEL_VALUE(a), CUSET_KERNEL_VALUE(b < 2 >), CUSET_KERNEL_VALUE(n :: c)};"},
      {"f = &\n b<  // two\n2>;", "f = CUSET_KERNEL_VALUE(b < 2 >)\n\n;"},
      {"time(a, 3); return a;", "time(CUSET_KERNEL_VALUE(a), 3); return CUSET_KERNEL_VALUE(a);"},
      {"f = b<(a)>;", "f = CUSET_KERNEL_VALUE(b < ( a ) >);"},
      {"f = (void*)b<(1 > 0)>;", "f = (void*)CUSET_KERNEL_VALUE(b < ( 1 > 0 ) >);"},
      {"f = x ? a : b<1>;", "f = x ? CUSET_KERNEL_VALUE(a) : CUSET_KERNEL_VALUE(b < 1 >);"},
      {"a<<<1, 1>>>(p); b<2><<<1, 1>>>(p);", "a<<<1, 1>>>(p); b<2><<<1, 1>>>(p);"},
      {"template __global__ void b<3>(int*);", "template __global__ void b<3>(int*);"},
      {"int a = 1; s.a = p->a; x = y < b; z = a * 2;", "int a = 1; s.a = p->a; x = y < b; z = a * 2;"},
  };
  for (const auto& [given, wanted] : rows)
    EXPECT_EQ(with_own_kernel_values(kernels + given), kernels + wanted);
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
