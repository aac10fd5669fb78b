// Launch configurations and the statements that feed them: tables of source -> "name text; name text".
#include "cuda_source/launches.h"

#include <gtest/gtest.h>

#include "cuda_source/regions.h"

namespace cuset::cuda_source {
namespace {

std::string shown(std::string_view text, RegionKind kind, const RegionOptions& options = {}) {
  std::string result;
  for (const Region& region : find_regions(text, options)) {
    if (region.kind != kind) continue;
    if (!result.empty()) result += " ; ";
    result += (region.name.empty() ? "-" : region.name) + " ";
    result += text.substr(region.begin, region.end - region.begin);
  }
  return result;
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

void check_configurations(const std::vector<Case>& cases) {
  for (const Case& c : cases)
    EXPECT_EQ(shown(c.text, RegionKind::kLaunchConfiguration), c.expected) << c.text;
}

// Each source is the body of a function.
void check_definitions(const std::vector<Case>& cases, const RegionOptions& options = {}) {
  for (const Case& c : cases) {
    const std::string text = "void f(int p) {" + std::string(c.text) + "}";
    EXPECT_EQ(shown(text, RegionKind::kLaunchDefinition, options), c.expected) << c.text;
  }
}

TEST(Launches, Bracketed) {
  check_configurations({
      {"k<<<1, 2>>>(x);", "k <<<1, 2>>>"},
      {"k<<<g, b, s, st>>>(x);", "k <<<g, b, s, st>>>"},
      {"k <<< g , b >>> (x);", "k <<< g , b >>>"},
      {"k\n<<<\ng,\nb\n>>>\n(x);", "k <<<\ng,\nb\n>>>"},
      {"k<T><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"k<A<B<C>>><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"k<T, (N>>1)><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"k<T, N, (a < b)><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"ns::k<<<g, b>>>(x);", "k <<<g, b>>>"},
      {"::a::b::k<int><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"(k)<<<g, b>>>(x);", "k <<<g, b>>>"},
      {"(*k)<<<g, b>>>(x);", "k <<<g, b>>>"},
      {"kernels[i]<<<g, b>>>(x);", "kernels <<<g, b>>>"},
      {"pick(1)<<<g, b>>>(x);", "pick <<<g, b>>>"},
      {"p->k<<<g, b>>>(x);", "k <<<g, b>>>"},
      {"S::template k<T><<<g, b>>>(x);", "k <<<g, b>>>"},
      {"k/*a*/<<</*b*/g, b/*c*/>>>/*d*/(x);", "k <<</*b*/g, b/*c*/>>>"},
      {"k<<<(n + 255) / 256, 256>>>(x);", "k <<<(n + 255) / 256, 256>>>"},
      {"k<<<dim3(1, 2), dim3{3, 4}>>>(x);", "k <<<dim3(1, 2), dim3{3, 4}>>>"},
      {"k<<<n >> 8, 1 << 8>>>(x);", "k <<<n >> 8, 1 << 8>>>"},
      {"k<<<f<A<B<int>>>(), 2>>>(x);", "k <<<f<A<B<int>>>(), 2>>>"},
      {"k<<<g, std::min<int>(a, b)>>>(x);", "k <<<g, std::min<int>(a, b)>>>"},
      {"k<<<a < b ? a : b, 2>>>(x);", "k <<<a < b ? a : b, 2>>>"},
      {"k<<<g, b>>>(x), j<<<h, c>>>(y);", "k <<<g, b>>> ; j <<<h, c>>>"},
      {"for (;;) k<<<g, b>>>(x);", "k <<<g, b>>>"},
      {"CHECK((k<<<g, b>>>(x)));", "k <<<g, b>>>"},
      {"auto l = [&] { k<<<g, b>>>(x); };", "k <<<g, b>>>"},
      {"AT_DISPATCH(t, \"n\", ([&] { k<scalar_t><<<g, b>>>(x); }));", "k <<<g, b>>>"},
      {"k<<<1, sizeof(a) * (b > c)>>>(x);", "k <<<1, sizeof(a) * (b > c)>>>"},
      {"k<<<[&]{ return 1; }(), 2>>>(x);", "k <<<[&]{ return 1; }(), 2>>>"},
      {"__global__ void p() { k<<<1, 2>>>(x); }", "k <<<1, 2>>>"},
      {"<<<1, 2>>>(x);", "- <<<1, 2>>>"},
  });
}

TEST(Launches, WhatIsNoLaunch) {
  check_configurations({
      {"a<b<c<d>>> e;", ""},
      {"x = y >> 3;", ""},
      {"std::cout << a << b;", ""},
      {"// k<<<1, 2>>>(x);", ""},
      {"/* k<<<1, 2>>>(x); */", ""},
      {"s = \"k<<<1, 2>>>(x);\";", ""},
      {"s = R\"(k<<<1, 2>>>(x);)\";", ""},
      {"#if 0\nk<<<1, 2>>>(x);\n#endif", ""},
      {"friend S& operator<<<T>(S&, T);", ""},
      {"<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> x", ""},
      {"#error k<<<1, 2>>>\n", ""},
      {"cudaLaunchKernel;", ""},
      {"auto f = &cudaLaunchKernel;", ""},
      {"cudaError_t cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t t);",
       ""},
  });
}

TEST(Launches, InMacrosAndConditionals) {
  check_configurations({
      {"#define L(k) k<<<1, 2>>>(x)\n", "k <<<1, 2>>>"},
      {"#define L(k, ...) \\\n k<<<g, \\\n b>>>(__VA_ARGS__)\nint x;", "k <<<g, \\\n b>>>"},
      {"#define L(k) cudaLaunchKernel(k, g, b, a, s, t)\n", "k g, b ; k s, t"},
      {"#ifdef A\nk<<<1, 2>>>(x);\n#else\nk<<<3, 4>>>(x);\n#endif", "k <<<1, 2>>> ; k <<<3, 4>>>"},
      {"k<<<1,\n#ifdef A\n2\n#else\n3\n#endif\n>>>(x);", "k <<<1,\n#ifdef A\n2\n#else\n3\n#endif\n>>>"},
  });
}

TEST(Launches, Functions) {
  check_configurations({
      {"cudaLaunchKernel(k, g, b, args, s, st);", "k g, b ; k s, st"},
      {"cudaLaunchKernel((void*)k, dim3(1, 2), dim3(3), args, 0, 0);", "k dim3(1, 2), dim3(3) ; k 0, 0"},
      {"cudaLaunchKernel((const void*)k<float, 2>, g, b, args, 0, 0);", "k g, b ; k 0, 0"},
      {"cudaLaunchKernel(reinterpret_cast<const void*>(&ns::k<T>), g, b, args, 0, 0);", "k g, b ; k 0, 0"},
      {"cudaLaunchKernel((void*)&k, g, b, args);", "k g, b"},
      {"cudaLaunchKernel(kernels[i], g, b, args, 0, 0);", "kernels g, b ; kernels 0, 0"},
      {"CHECK(cudaLaunchKernel(k, g, b, args, s, st));", "k g, b ; k s, st"},
      {"cudaLaunchCooperativeKernel((void*)k, g, b, args, s, st);", "k g, b ; k s, st"},
      {"cudaLaunchKernelEx(&config, k, a, b);", "k &config"},
      {"return cudaLaunchKernelEx(&config, k, a, b);", "k &config"},
      {"if (x) y; else cudaLaunchKernelEx(&config, k, a, b);", "k &config"},
      {"auto e = ::cudaLaunchKernelEx(&config, k, a, b);", "k &config"},
      {"cudaLaunchKernelEx(&config, k<float, 3>, a, b);", "k &config"},
      {"cudaLaunchKernelExC(&config, (void*)k, args);", "k &config"},
      {"cuLaunchKernel(f, 1, 2, 3, 4, 5, 6, s, st, args, 0);", "f 1, 2, 3, 4, 5, 6, s, st"},
      {"cuLaunchKernelEx(&config, f, args, 0);", "f &config"},
      {"cudaLaunchKernel(k, max<int, 2>(a, b), b, args, s, st);", "k max<int, 2>(a, b), b ; k s, st"},
      {"cudaLaunchKernel(k, a < b ? c : d, e > f, args, s, st);", "k a < b ? c : d, e > f ; k s, st"},
      {"cudaLaunchKernel();", ""},
      {"cudaLaunchKernel(k);", ""},
      {"cudaLaunchKernel(k, g", "k g"},
      {"cudaLaunchKernel(k, g, b, args, s", "k g, b ; k s"},
  });
  RegionOptions options;
  options.launch_functions = false;
  EXPECT_EQ(
      shown("cudaLaunchKernel(k, g, b, a, s, t); j<<<1, 2>>>();", RegionKind::kLaunchConfiguration, options),
      "j <<<1, 2>>>");
}

TEST(Launches, WithoutBrackets) {
  RegionOptions options;
  options.launch_brackets = false;
  const auto configuration = [&](std::string_view text) {
    return shown(text, RegionKind::kLaunchConfiguration, options);
  };
  EXPECT_EQ(configuration("k<<<g, b>>>(x);"), "k g, b");
  EXPECT_EQ(configuration("k<<< g, b >>>(x);"), "k g, b");
  EXPECT_EQ(configuration("k<<<>>>(x);"), "");
  EXPECT_EQ(configuration("k<<<g, b"), "k g, b");
}

TEST(Launches, WrongAndCutOffCode) {
  check_configurations({
      {"k<<<", "k <<<"},
      {"k<<<g", "k <<<g"},
      {"k<<<g, b>", "k <<<g, b>"},
      {"k<<<g, b>>", "k <<<g, b>>"},
      {"k<<<g, f(", "k <<<g, f("},
      {"k<<<g, b>>(x); y;", "k <<<g, b>>(x)"},
      {"k<<<g, b(x); j<<<1, 2>>>(x);", "k <<<g, b(x) ; j <<<1, 2>>>"},
      {"{ k<<<g, b } x;", "k <<<g, b"},
      {"f(k<<<g, b) x;", "k <<<g, b"},
      {"k<<<>>>(x);", "k <<<>>>"},
      {"k<<<,>>>(x);", "k <<<,>>>"},
  });
}

TEST(LaunchDefinitions, Declarations) {
  check_definitions({
      {"dim3 b(16, 16); k<<<1, b>>>();", "b dim3 b(16, 16);"},
      {"dim3 b{16, 16}; k<<<1, b>>>();", "b dim3 b{16, 16};"},
      {"dim3 b = dim3(16); k<<<1, b>>>();", "b dim3 b = dim3(16);"},
      {"dim3 b = {16, 16}; k<<<1, b>>>();", "b dim3 b = {16, 16};"},
      {"auto b = dim3{16}; k<<<1, b>>>();", "b auto b = dim3{16};"},
      {"const int b = 16; k<<<1, b>>>();", "b const int b = 16;"},
      {"static constexpr int b = 16; k<<<1, b>>>();", "b static constexpr int b = 16;"},
      {"unsigned int b = 16u; k<<<1, b>>>();", "b unsigned int b = 16u;"},
      {"std::size_t s = 3; k<<<1, 2, s>>>();", "s std::size_t s = 3;"},
      {"int a = 1, b = 2; k<<<1, b>>>();", "a int a = 1, b = 2;"},
      {"int g, b; k<<<g, b>>>();", "g int g, b;"},
      {"dim3 b; b.x = 3; k<<<1, b>>>();", "b dim3 b; ; b b.x = 3;"},
      {"auto [g, b] = plan(3); k<<<g, b>>>();", "g auto [g, b] = plan(3);"},
      {"const auto& [g, b] = plan(3); k<<<1, b>>>();", "g const auto& [g, b] = plan(3);"},
      {"cudaStream_t st; cudaStreamCreate(&st); k<<<1, 2, 0, st>>>();",
       "st cudaStream_t st; ; st cudaStreamCreate(&st);"},
      {"int* b = new int(3); k<<<1, *b>>>();", "b int* b = new int(3);"},
      {"std::vector<int> v(3); k<<<1, v[0]>>>();", "v std::vector<int> v(3);"},
      {"std::array<int, 2> v = {1, 2}; k<<<1, v[0]>>>();", "v std::array<int, 2> v = {1, 2};"},
      {"dim3 b(16 /* x */, 16); // y\n k<<<1, b>>>();", "b dim3 b(16 /* x */, 16);"},
      {"const dim3 g((n + 15) / 16), b(16); k<<<g, b>>>();", "g const dim3 g((n + 15) / 16), b(16);"},
  });
}

TEST(LaunchDefinitions, Assignments) {
  check_definitions({
      {"int b; b = 3; k<<<1, b>>>();", "b int b; ; b b = 3;"},
      {"int b = 3; b *= 2; k<<<1, b>>>();", "b int b = 3; ; b b *= 2;"},
      {"int b = 3; b >>= 1; b <<= 2; k<<<1, b>>>();", "b int b = 3; ; b b >>= 1; ; b b <<= 2;"},
      {"int b = 3; b++; k<<<1, b>>>();", "b int b = 3; ; b b++;"},
      {"int b = 3; ++b; k<<<1, b>>>();", "b int b = 3; ; b ++b;"},
      {"int b; if (x) b = 3; else b = 4; k<<<1, b>>>();", "b int b; ; b b = 3; ; b b = 4;"},
      {"int b; if (x) { b = 3; } else { b = 4; } k<<<1, b>>>();", "b int b; ; b b = 3; ; b b = 4;"},
      {"int b; switch (x) { case 1: b = 3; break; default: b = 4; } k<<<1, b>>>();",
       "b int b; ; b b = 3; ; b b = 4;"},
      {"p = 3; k<<<1, p>>>();", "p p = 3;"},
      {"int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0); k<<<g, b>>>();",
       "g int g, b; ; g cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0);"},
      {"b[0].x = 3; k<<<1, b[0]>>>();", "b b[0].x = 3;"},
      {"q->b = 3; k<<<1, q->b>>>();", "q q->b = 3;"},
      {"int b = 1; k<<<1, b>>>(); b = 2;", "b int b = 1;"},
      {"int b = 1; x = 2; k<<<1, b>>>(x);", "b int b = 1;"},
  });
}

TEST(LaunchDefinitions, Transitive) {
  const std::string_view chain =
      "int t = 256; int n = 9; int g = (n + t - 1) / t; int y = 0; k<<<g, t>>>(y);";
  check_definitions({
      {chain, "t int t = 256; ; n int n = 9; ; g int g = (n + t - 1) / t;"},
      {"int a = 1; int b = a; int c = b; k<<<c, 1>>>();", "a int a = 1; ; b int b = a; ; c int c = b;"},
      {"int a = 1; int b = a; a = 2; k<<<b, 1>>>();", "a int a = 1; ; b int b = a;"},
      {"cudaLaunchConfig_t c = {0}; dim3 g(4); c.gridDim = g; c.blockDim = 32; cudaLaunchKernelEx(&c, k, x);",
       "c cudaLaunchConfig_t c = {0}; ; g dim3 g(4); ; c c.gridDim = g; ; c c.blockDim = 32;"},
      {"cudaLaunchAttribute at[1]; at[0].id = X; cudaLaunchConfig_t c; c.attrs = at; cudaLaunchKernelEx(&c, "
       "k, x);",
       "at cudaLaunchAttribute at[1]; ; at at[0].id = X; ; c cudaLaunchConfig_t c; ; c c.attrs = at;"},
      {"int s = 4 * sizeof(float); cudaLaunchKernel(k, 1, 2, a, s, 0);", "s int s = 4 * sizeof(float);"},
  });
  RegionOptions direct;
  direct.transitive_definitions = false;
  check_definitions({{chain, "t int t = 256; ; g int g = (n + t - 1) / t;"}}, direct);
  RegionOptions none;
  none.launch_definitions = false;
  check_definitions({{chain, ""}}, none);
}

TEST(LaunchDefinitions, BlocksAndLoops) {
  check_definitions({
      {"{ int b = 1; } int b = 2; k<<<1, b>>>();", "b int b = 2;"},
      {"{ int b = 1; k<<<1, b>>>(); } { int b = 2; }", "b int b = 1;"},
      {"int b = 1; { int b = 2; k<<<1, b>>>(); }", "b int b = 2;"},
      {"int b = 1; { int b = 2; } k<<<1, b>>>();", "b int b = 1;"},
      {"for (int b = 1; b < 9; b *= 2) k<<<1, b>>>();", "b int b = 1; ; b b *= 2"},
      {"for (int b = 1; b < 9; ++b) { k<<<1, b>>>(); }", "b int b = 1; ; b ++b"},
      {"int b = 1; while (b < 9) { k<<<1, b>>>(); b *= 2; } b = 7;", "b int b = 1; ; b b *= 2;"},
      {"int b = 1; do { k<<<1, b>>>(); b *= 2; } while (b < 9);", "b int b = 1; ; b b *= 2;"},
      {"for (int i = 0; i < 3; i++) { int b = 1 << i; k<<<1, b>>>(); }",
       "i int i = 0; ; i i++ ; b int b = 1 << i;"},
      {"if (int b = f()) k<<<1, b>>>();", "b int b = f()"},
      {"int b = 1; run([&] { int c = b; k<<<1, c>>>(); });", "b int b = 1; ; c int c = b;"},
      {"int b = 1; D(t, ([&] { k<<<1, b>>>(); }));", "b int b = 1;"},
      {"try { int b = 1; k<<<1, b>>>(); } catch (E& e) { int b = 2; }", "b int b = 1;"},
      {"return; int b = 3; k<<<1, b>>>();", "b int b = 3;"},
      {"for (int b : list) k<<<1, b>>>();", "b int b : list"},
  });
}

TEST(LaunchDefinitions, StayInTheirFunction) {
  const auto definitions = [](std::string_view text) { return shown(text, RegionKind::kLaunchDefinition); };
  EXPECT_EQ(definitions("int b = 1; void f() { k<<<1, b>>>(); }"), "");
  EXPECT_EQ(definitions("#define B 3\nvoid f() { k<<<1, B>>>(); }"), "");
  EXPECT_EQ(definitions("void g() { int b = 1; } void f() { int b = 2; k<<<1, b>>>(); }"), "b int b = 2;");
  EXPECT_EQ(definitions("namespace n { struct S { void f() { int b = 2; k<<<1, b>>>(); } int b = 3; }; }"),
            "b int b = 2;");
  EXPECT_EQ(definitions("extern \"C\" { int b = 1; void f() { k<<<1, b>>>(); } }"), "");
  EXPECT_EQ(definitions("template <class T> void f() { T b = 2; k<<<1, b>>>(); }"), "b T b = 2;");
  EXPECT_EQ(definitions("template <class T> struct S { void f() { T b = 2; k<<<1, b>>>(); } };"),
            "b T b = 2;");
  EXPECT_EQ(definitions("dim3 b(2);\nk<<<1, b>>>();"), "b dim3 b(2);");
  EXPECT_EQ(definitions("void f() { int b = 1; k<<<1, b>>>(); } void g() { int b = 2; k<<<1, b>>>(); }"),
            "b int b = 1; ; b int b = 2;");
  EXPECT_EQ(definitions("void f() { int b = 1; k<<<1, b"), "b int b = 1;");
  EXPECT_EQ(definitions("struct alignas(16) S { int b = 1; void f() { k<<<1, b>>>(); } };"), "");
}

}  // namespace
}  // namespace cuset::cuda_source
