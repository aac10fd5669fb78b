// Kernel and device function definitions: tables of source -> "name body; name body".
#include "cuda_source/functions.h"

#include <gtest/gtest.h>

#include "cuda_source/regions.h"

namespace cuset::cuda_source {
namespace {

// "name(parameters){body}" of every region of the kind, joined by " ; ".
std::string bodies(std::string_view text, RegionKind kind, const RegionOptions& options) {
  std::string result;
  for (const Region& region : find_regions(text, options)) {
    if (region.kind != kind) continue;
    if (!result.empty()) result += " ; ";
    result += region.name + " " + std::string(text.substr(region.begin, region.end - region.begin));
  }
  return result;
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

void check_kernels(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(bodies(c.text, RegionKind::kKernelBody, {}), c.expected) << c.text;
}

TEST(Kernels, AttributesInAnyOrder) {
  check_kernels({
      {"__global__ void k(int a) {1}", "k {1}"},
      {"void __global__ k(int a) {1}", "k {1}"},
      {"static __global__ void k() {1}", "k {1}"},
      {"__global__ static void k() {1}", "k {1}"},
      {"inline __global__ void k() {1}", "k {1}"},
      {"__global__ inline void k() {1}", "k {1}"},
      {"extern \"C\" __global__ void k() {1}", "k {1}"},
      {"__global__ extern \"C\" void k() {1}", "k {1}"},
      {"extern \"C\" { __global__ void k() {1} }", "k {1}"},
      {"__launch_bounds__(256) __global__ void k() {1}", "k {1}"},
      {"__global__ __launch_bounds__(256) void k() {1}", "k {1}"},
      {"__global__ void __launch_bounds__(256) k() {1}", "k {1}"},
      {"__global__ void __launch_bounds__(256, 2) k() {1}", "k {1}"},
      {"__global__ void __launch_bounds__(N * (M + 1), f(2)) k() {1}", "k {1}"},
      {"__global__ void k() __launch_bounds__(256) {1}", "k {1}"},
      {"__global__ void __cluster_dims__(2, 1, 1) k() {1}", "k {1}"},
      {"__global__ void __launch_bounds__(1) __maxnreg__(32) k() {1}", "k {1}"},
      {"__global__ __attribute__((noinline)) void k() {1}", "k {1}"},
      {"__attribute__((used)) __global__ void k() {1}", "k {1}"},
      {"__global__ void __attribute__((annotate(\"x(y)\"))) k() {1}", "k {1}"},
      {"__global__ void k() __attribute__((cold)) {1}", "k {1}"},
      {"[[maybe_unused]] __global__ void k() {1}", "k {1}"},
      {"__global__ [[nodiscard(\"k()\")]] void k() {1}", "k {1}"},
      {"__global__ void k [[gnu::used]] () {1}", "k {1}"},
      {"__global__ void k() noexcept {1}", "k {1}"},
      {"__global__ void k() noexcept(true) {1}", "k {1}"},
      {"__global__ auto k() -> void {1}", "k {1}"},
      {"__global__ auto k(int a) -> decltype(f(a)) {1}", "k {1}"},
      {"constexpr __global__ void k() {1}", "k {1}"},
      {"__host__ __global__ void k() {1}", "k {1}"},
      {"__global__ __host__ void k() {1}", "k {1}"},
      {"__global__ alignas(16) void k() {1}", "k {1}"},
      {"__declspec(dllexport) __global__ void k() {1}", "k {1}"},
      {"__global__\nvoid\nk\n(\nint\na\n)\n{1}", "k {1}"},
  });
}

TEST(Kernels, TemplatesAndConstraints) {
  check_kernels({
      {"template <typename T> __global__ void k(T* a) {1}", "k {1}"},
      {"template <int N = (3 > 2)> __global__ void k() {1}", "k {1}"},
      {"template <> __global__ void k<float>(float* a) {1}", "k {1}"},
      {"template <> __global__ void k<A<B<float>>>(float* a) {1}", "k {1}"},
      {"template <> __global__ void k<(1 > 0)>(float* a) {1}", "k {1}"},
      {"template <class T, class U> __global__ void k(std::pair<T, U> a) {1}", "k {1}"},
      {"template <class T> requires std::integral<T> __global__ void k(T a) {1}", "k {1}"},
      {"template <class T> __global__ void k(T a) requires (sizeof(T) == 4) {1}", "k {1}"},
      {"template <class T> __global__ void k(T a) requires C<T> && D<T> {1}", "k {1}"},
      {"template <class T> __global__ void k(T a) requires requires (T t) { t.x(); } {1}", "k {1}"},
      {"template <class T> __global__ void k(T a) requires requires { typename T::x; } && true {1}", "k {1}"},
      {"template <template <class> class C> __global__ void k(C<int> a) {1}", "k {1}"},
      {"template <auto... N> __global__ void k(std::index_sequence<N...>) {1}", "k {1}"},
      {"template <class T> __global__ std::enable_if_t<(sizeof(T) > 4), void> k(T a) {1}", "k {1}"},
      {"template <class T> __global__ typename A<T>::type k(T a) {1}", "k {1}"},
      {"template __global__ void k<float>(float*);", ""},
      {"extern template __global__ void k<float>(float*);", ""},
      {"template <class T> __global__ void k(T); template <class T> __global__ void k(T) {1}", "k {1}"},
      {"__global__ void k(auto a, auto... b) {1}", "k {1}"},
  });
}

TEST(Kernels, ParametersOfEveryShape) {
  check_kernels({
      {"__global__ void k(float (*f)(float), float* a) {1}", "k {1}"},
      {"__global__ void k(float (&a)[3]) {1}", "k {1}"},
      {"__global__ void k(int a = f(1, 2), int b = {3}) {1}", "k {1}"},
      {"__global__ void k(const __grid_constant__ P p) {1}", "k {1}"},
      {"__global__ void k(decltype(x)* a) {1}", "k {1}"},
      {"__global__ void k(int a[], int b[3][4]) {1}", "k {1}"},
      {"__global__ void k(A<B, C>* a, D d = D{}) {1}", "k {1}"},
      {"__global__ void (k)(int a) {1}", "k {1}"},
      {"__global__ void k(void) {1}", "k {1}"},
      {"__global__ void S::k(int a) {1}", "k {1}"},
      {"__global__ void a::b::k(int a) {1}", "k {1}"},
      {"__global__ void k(int a /* ) { */, // ) {\n int b) {1}", "k {1}"},
      {"__global__ void k(const char* s = \") {\") {1}", "k {1}"},
  });
}

TEST(Kernels, PlacesWhereTheyStand) {
  check_kernels({
      {"namespace a { namespace b { __global__ void k() {1} } }", "k {1}"},
      {"namespace { __global__ void k() {1} }", "k {1}"},
      {"struct S { static __global__ void k() {1} };", "k {1}"},
      {"struct S { template <class T> static __global__ void k(T) {1} int x; };", "k {1}"},
      {"__global__ void a() {1} __global__ void b() {2}", "a {1} ; b {2}"},
      {"__global__ void a() { if (x) { y; } else { z; } } int b;", "a { if (x) { y; } else { z; } }"},
      {"__global__ void a() { auto f = [=] (int i) { return i; }; f(1); } __global__ void b() {}",
       "a { auto f = [=] (int i) { return i; }; f(1); } ; b {}"},
      {"__global__ void a() { char c = '}'; const char* s = \"}\"; /* } */ // }\n }",
       "a { char c = '}'; const char* s = \"}\"; /* } */ // }\n }"},
      {"__global__ void a() { x = R\"(})\"; }", "a { x = R\"(})\"; }"},
      {"__global__ void a() <% x; %>", "a <% x; %>"},
      {"friend __global__ void k(); __global__ void k() {1}", "k {1}"},
  });
}

TEST(Kernels, WhatIsNoDefinition) {
  check_kernels({
      {"", ""},
      {"__global__", ""},
      {"__global__ void k(int a);", ""},
      {"__global__ void k(int), j(int);", ""},
      {"__global__ void k() = delete;", ""},
      {"void k() {1}", ""},
      {"__device__ void k() {1}", ""},
      {"// __global__ void k() {1}", ""},
      {"/* __global__ void k() {1} */", ""},
      {"const char* s = \"__global__ void k() {1}\";", ""},
      {"const char* s = R\"(__global__ void k() {1})\";", ""},
      {"__global__ int x; void f() {1}", ""},
      {"__global__ {1}", ""},
      {"void f(__global__ int* x) {1}", ""},
      {"__global___ void k() {1}", ""},
      {"int __global__; int main() {1}", ""},
      {"using K = __global__; void f() {1}", ""},
  });
}

TEST(Kernels, CommentsAndSplicesAnywhere) {
  check_kernels({
      {"__global__/*a*/void/*b*/k/*c*/(/*d*/int a/*e*/)/*f*/{/*g*/}", "k {/*g*/}"},
      {"__global__ // a\nvoid // b\nk // c\n(int a) // d\n{1}", "k {1}"},
      {"__global\\\n__ void k() {1}", "k {1}"},
      {"__global__ void ker\\\nnel() {1}", "kernel {1}"},
      {"__global__ \\\n void \\\n k() {1}", "k {1}"},
      {"__global__ void k(/* ) { */) {1}", "k {1}"},
  });
}

TEST(Kernels, MacrosBetween) {
  check_kernels({
      {"__global__ void ATTR k() {1}", "k {1}"},
      {"__global__ ATTR void k() {1}", "k {1}"},
      {"__global__ void BOUNDS(256) k(int a) {1}", "k {1}"},
      {"__global__ BOUNDS(256, 2) void k(int a) {1}", "k {1}"},
      {"BOUNDS(256) __global__ void k(int a) {1}", "k {1}"},
      {"__global__ void NAME(add)(int a) {1}", "NAME(add) {1}"},
      {"#define KERNEL __global__ void\nKERNEL k(int a) {1}", "k {1}"},
      {"#define KERNEL static __global__ void __launch_bounds__(64)\nKERNEL k(int a) {1}", "k {1}"},
      {"#define G __global__\n#define KERNEL G void\nKERNEL k(int a) {1}", "k {1}"},
      {"#define KERNEL(name) __global__ void name\nKERNEL(k)(int a) {1}", "k {1}"},
      {"#define KERNEL(name, T) __global__ void name(T* a)\nKERNEL(k, float) {1}", "k {1}"},
      {"#define KERNEL(name) __global__ void name##_kernel\nKERNEL(k)(int a);", ""},
      {"#define HD __host__ __device__\nHD void f() {1}", ""},
      {"#define KERNEL __global__ void\n#undef X\nvoid f() {1}", ""},
  });
}

TEST(Kernels, BodiesInMacros) {
  check_kernels({
      {"#define K(name) __global__ void name(int a) { a; }\nK(x)", "name { a; }"},
      {"#define K(op) __global__ void op##_kernel(int a) { op(a); }\n", "op##_kernel { op(a); }"},
      {"#define K(op) __global__ void pre_##op##_kernel(int a) \\\n { op(a); } \nint x;",
       "pre_##op##_kernel { op(a); }"},
      {"#define K __global__ void k(int a) { \\\n a; \\\n }\nK", "k { \\\n a; \\\n }"},
      {"#define K __global__ void k(int a) { a; \nint x;", "k { a;"},
      {"#define A(n) __global__ void a##n() {1} __global__ void b##n() {2}\n", "a##n {1} ; b##n {2}"},
      {"#define K(name) __global__ void name(int a);\nK(x)", ""},
  });
}

TEST(Kernels, ConditionalCode) {
  check_kernels({
      {"#if 0\n__global__ void k() {1}\n#endif", ""},
      {"#if false\n__global__ void k() {1}\n#endif", ""},
      {"#if (0)\n__global__ void k() {1}\n#endif", ""},
      {"#if 0 && X\n__global__ void k() {1}\n#endif", ""},
      {"#if 0 || X\n__global__ void k() {1}\n#endif", "k {1}"},
      {"#if 0\n__global__ void a() {1}\n#else\n__global__ void b() {2}\n#endif", "b {2}"},
      {"#if 1\n__global__ void a() {1}\n#else\n__global__ void b() {2}\n#endif", "a {1}"},
      {"#if 0\n#if 1\n__global__ void a() {1}\n#endif\n#elif 0\n__global__ void b() {2}\n#else\n__global__ "
       "void c() "
       "{3}\n#endif",
       "c {3}"},
      {"#ifdef X\n__global__ void a() {1}\n#else\n__global__ void b() {2}\n#endif", "a {1} ; b {2}"},
      {"#if X\n__global__ void a() {1}\n#elif Y\n__global__ void b() {2}\n#endif", "a {1} ; b {2}"},
      {"#if 0\nit's \"broken\n#endif\n__global__ void k() {1}", "k {1}"},
      {"#ifdef A\n__global__ void a(int x) {\n#else\n__global__ void b(float x) {\n#endif\n y; } int z;",
       "a {\n#else\n__global__ void b(float x) {\n#endif\n y; } ; b {\n#endif\n y; }"},
      {"#ifdef A\n__global__ void a(int x)\n#else\n__global__ void b(float x)\n#endif\n{ y; }",
       "a { y; } ; b { y; }"},
      {"__global__ void k(int a\n#ifdef A\n, int b\n#endif\n) {1}", "k {1}"},
      {"__global__ void k(int a\n#ifdef A\n) {1\n#else\n, int b) {2\n#endif\n}",
       "k {1\n#else\n, int b) {2\n#endif\n}"},
      {"__global__ void k() {\n#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n z; } }",
       "k {\n#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n z; } }"},
      {"__global__ void k() { x;\n#ifdef A\n y; }\n#else\n z; }\n#endif\nint w;",
       "k { x;\n#ifdef A\n y; }\n#else\n z; }"},
      {"__global__ void k() {\n#ifdef A\n if (x) {\n#endif\n y;\n#ifdef A\n }\n#endif\n}",
       "k {\n#ifdef A\n if (x) {\n#endif\n y;\n#ifdef A\n }\n#endif\n}"},
      {"#ifdef A\n#ifdef B\n__global__ void a() {\n#else\n__global__ void b() {\n#endif\n#else\n__global__ "
       "void c() "
       "{\n#endif\n1}",
       "a {\n#else\n__global__ void b() {\n#endif\n#else\n__global__ void c() {\n#endif\n1} ; b "
       "{\n#endif\n#else\n"
       "__global__ void c() {\n#endif\n1} ; c {\n#endif\n1}"},
      {"#ifndef A\n#define A\n__global__ void k() {1}\n#endif", "k {1}"},
      {"#ifdef A\n__global__\n#endif\nvoid k() {1}", "k {1}"},
      {"#ifdef A\n__global__ void a() {1}", "a {1}"},
      {"#endif\n#else\n__global__ void a() {1}", "a {1}"},
      {"__global__ void k(\n#if 0\nint\n#endif\nfloat a) {1}", "k {1}"},
  });
}

TEST(Kernels, WrongAndCutOffCode) {
  check_kernels({
      {"__global__ void k(int a", ""},
      {"__global__ void k(int a)", ""},
      {"__global__ void k(int a) {", "k {"},
      {"__global__ void k(int a) { x[", "k { x["},
      {"__global__ void k(int a) { if (x) { y;", "k { if (x) { y;"},
      {"__global__ void k(int a) { x); ]; }", "k { x); ]; }"},
      {"__global__ void k(int a) { f(x; } __global__ void j() {1}", "k { f(x; } ; j {1}"},
      {"} } __global__ void k() {1}", "k {1}"},
      {"__global__ void k() { if (x) { } __global__ void j() {1}", "k { if (x) { } ; j {1}"},
      {"__global__ void k() { if (x) { } template <class T> __global__ void j() {1}",
       "k { if (x) { } ; j {1}"},
      {"__global__ void k() { \"abc", "k { \"abc"},
      {"__global__ void k() { /* abc", "k { /* abc"},
      {"__global__ void k() { R\"(abc", "k { R\"(abc"},
      {"__global__ void k(int a {1}", ""},
      {"__global__ void k) {1}", ""},
      {"__global__ void (int a) {1}", ""},
      {"__global__ k() {1}", "k {1}"},
      {"__global__ void k() {1}}} __global__ void j() {2}", "k {1} ; j {2}"},
      {"__global__ void a(int x) __global__ void b(int x) {2}", "b {2}"},
      {"template <class T __global__ void k() {1}", "k {1}"},
      {"__global__ void k<float(int a) {1}", ""},
      {"__global__ __global__ void k() {1}", "k {1}"},
  });
}

TEST(Kernels, SignatureRunsFromNameThroughParameters) {
  const std::vector<Case> cases = {
      {"__global__ void k(int a, float* b) {1}", "k k(int a, float* b)"},
      {"template <> __global__ void k<float>(float* b) {1}", "k k<float>(float* b)"},
      {"__global__ void NAME(k)(int a) {1}", "NAME(k) NAME(k)(int a)"},
      {"#define K(n) __global__ void n##_f(int a) {1}\n", "n##_f n##_f(int a)"},
      {"__global__ void k(int a", "k k(int a"},
      {"__global__ void k(int a);", ""},
      {"__global__ void __launch_bounds__(2) k(int a) {1}", "k k(int a)"},
      {"#define D(n, T) __global__ void n(T a)\nD(k, int) {1}", "k k, int)"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(bodies(c.text, RegionKind::kKernelSignature, {}), c.expected) << c.text;
  RegionOptions without;
  without.signatures = false;
  EXPECT_EQ(bodies("__global__ void k() {1}", RegionKind::kKernelSignature, without), "");
}

TEST(DeviceFunctions, ReachedByName) {
  const std::vector<Case> cases = {
      {"__device__ int f() {1} __global__ void k() {f();}", "f {1}"},
      {"__device__ int f() {1} __device__ int g() {2} __global__ void k() {f();}", "f {1}"},
      {"__device__ int f() {g();} __device__ int g() {2} __global__ void k() {f();}", "f {g();} ; g {2}"},
      {"__host__ __device__ int f() {1} __global__ void k() {f();}", "f {1}"},
      {"__device__ __host__ __forceinline__ int f() {1} __global__ void k() {f();}", "f {1}"},
      {"__forceinline__ __device__ int f() {1} __global__ void k() {f();}", "f {1}"},
      {"template <class T> __device__ T f(T a) {1} __global__ void k() {f<int>(2);}", "f {1}"},
      {"__device__ int f() {f();} __global__ void k() {}", ""},
      {"__device__ int f() {1}", ""},
      {"__device__ int f(int); __global__ void k() {f(1);} __device__ int f(int) {1}", "f {1}"},
      {"__device__ int f(int) {1} __device__ int f(float) {2} __global__ void k() {f(1);}", "f {1} ; f {2}"},
      {"#define HD __host__ __device__\nHD int f() {1} __global__ void k() {f();}", "f {1}"},
      {"struct S { __device__ S(int a) : x(a), y{a} {1} }; __global__ void k() {S s(1);}", "S {1}"},
      {"struct S { __device__ int operator()(int a) const {1} }; __global__ void k() {}", "operator() {1}"},
      {"struct S { __device__ S operator+(S a) {1} }; __global__ void k() {}", "operator+ {1}"},
      {"struct S { __device__ operator float() const {1} }; __global__ void k() {}", "operatorfloat {1}"},
      {"__device__ int table[2] = {1, 2}; __global__ void k() {table[0];}", ""},
      {"__device__ int x{1}; __global__ void k() {x;}", ""},
      {"__device__ int x = f(1); __global__ void k() {x;}", ""},
      {"__device__ void (*p)(int) = f; __global__ void k() {p;}", ""},
      {"__device__ auto f(int a) -> int {1} __global__ void k() {f(1);}", "f {1}"},
      {"auto l = [] __device__ (int a) {1}; __global__ void k() {}", ""},
      {"__global__ void k(F f = &g) {} __device__ int g() {1}", "g {1}"},
  };
  RegionOptions options;
  options.device_functions = true;
  for (const Case& c : cases) {
    EXPECT_EQ(bodies(c.text, RegionKind::kDeviceBody, options), c.expected) << c.text;
    EXPECT_EQ(bodies(c.text, RegionKind::kDeviceBody, {}), "") << c.text;
  }
}

}  // namespace
}  // namespace cuset::cuda_source
