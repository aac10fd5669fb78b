#include "curate/text/normalized_code.h"

#include <gtest/gtest.h>

namespace cuset::curate {
namespace {

CodeHash hash_of_source(std::string_view source) { return hash_of(normalized_tokens(source)); }

TEST(NormalizedCode, DeclaredNamesBecomeNumbersAndOthersStay) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"int n = 4; // four", "int $1 = 4 ;"},
      {"__global__ void add(const float* __restrict__ a, float *b, int n) { b[n] = expf(a[n]); }",
       "__global__ void $1 ( const float * __restrict__ $2 , float * $3 , int $4 ) { $3 [ $4 ] = expf ( $2 [ $4 ] ) ; }"},
      {"float x = 1, *p = &x, c[4]; c[0] = *p;", "float $1 = 1 , * $2 = & $1 , $3 [ 4 ] ; $3 [ 0 ] = * $2 ;"},
      {"std::vector<float> h(n); h.data();", "std :: vector < float > $1 ( n ) ; $1 . data ( ) ;"},
      {"#define BLOCK 256\nint t[BLOCK];", "# define $1 256 int $2 [ $1 ] ;"},
      {"int i = blockIdx.x * blockDim.x + threadIdx.x;",
       "int $1 = blockIdx . x * blockDim . x + threadIdx . x ;"},
      {"y = a * expf(b);", "y = a * expf ( b ) ;"},
      {"if (a < b && c > fabsf(d)) return c;", "if ( a < b && c > fabsf ( d ) ) return c ;"},
      {"struct Pair { float left; }; Pair q; q.left = 1;",
       "struct $1 { float $2 ; } ; $1 $3 ; $3 . $2 = 1 ;"},
      {"template <typename T, int N> void f(T v) {}",
       "template < typename $1 , int $2 > void $3 ( $1 $4 ) { }"},
      {"cudaMalloc(&d_x, bytes);", "cudaMalloc ( & d_x , bytes ) ;"},
      {"for (unsigned int stride = 1; stride < 4; stride *= 2) {}",
       "for ( unsigned int $1 = 1 ; $1 < 4 ; $1 *= 2 ) { }"},
      {"return x * M_PI;", "return x * M_PI ;"},
      {"", ""},
  };
  for (const auto& [source, wanted] : cases) EXPECT_EQ(normalized_text(source), wanted);
}

constexpr const char* kSource =
    "__global__ void scale(const float* x, float* y, float a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i];\n}\n";

TEST(NormalizedCode, RenamedReformattedAndCommentedCopiesAreEqual) {
  const char* copy =
      "// Multiplies.\n__global__ void multiply(const float *input,\n   float *output, float factor, int count)\n{\n"
      "  int index = blockIdx.x*blockDim.x + threadIdx.x; /* place */\n"
      "  if (index<count) output[index] = factor*input[index];\n}\n";
  EXPECT_EQ(hash_of_source(kSource), hash_of_source(copy));
}

TEST(NormalizedCode, WhatTheProgramDoesIsNotRenamedAway) {
  const std::string source = kSource;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = source;
    text.replace(text.find(from), from.size(), to);
    return hash_of_source(text);
  };
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"a * x[i]", "a + x[i]"},
                                                        {"a * x[i]", "a * y[i]"},
                                                        {"i < n", "i <= n"},
                                                        {"blockIdx.x", "blockIdx.y"},
                                                        {"a * x[i]", "a * expf(x[i])"},
                                                        {"float a", "double a"}})
    EXPECT_NE(changed(from, to), hash_of_source(kSource)) << to;
}

TEST(NormalizedCode, ADeclarationAtTheTopChangesNoRunBelow) {
  const auto runs = runs_of_code(normalized_tokens(kSource), 7);
  const auto more = runs_of_code(normalized_tokens(std::string("static int counter;\n") + kSource), 7);
  std::vector<uint64_t> shared;
  std::set_intersection(runs.begin(), runs.end(), more.begin(), more.end(), std::back_inserter(shared));
  EXPECT_EQ(shared.size(), runs.size());
}

TEST(NormalizedCode, AShortTextIsOneRun) {
  EXPECT_EQ(runs_of_code(normalized_tokens("a b"), 7).size(), 1u);
  EXPECT_TRUE(runs_of_code({}, 7).empty());
}

}  // namespace
}  // namespace cuset::curate
