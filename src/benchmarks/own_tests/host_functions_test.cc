#include "benchmarks/own_tests/host_functions.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

std::string dump(std::string_view source) {
  std::string text;
  for (const DefinedFunction& function : find_definitions(source).functions) {
    text += function.name + (function.internal ? " internal" : "") + (function.device ? " device" : "") +
            (function.qualified ? " member" : "") + "; ";
  }
  return text;
}

TEST(Definitions, FunctionsAreFoundByTheirShape) {
  const std::pair<const char*, const char*> cases[] = {
      {"int f(int x) { return g(x); }\nvoid g();\n", "f; "},
      {"static int f() {} inline int g() {} template <class T> T h(T t) { return t; }",
       "f internal; g internal; h internal; "},
      {"namespace { int f() {} }\nint g() {}\nnamespace a { namespace { int h() {} } int i() {} }",
       "f internal; g; h internal; i; "},
      {"extern \"C\" int memcmp(const void*, const void*, size_t) { return 0; }", "memcmp; "},
      {"extern \"C\" { void exit(int) {} }", "exit; "},
      {"__attribute__((noinline)) __global__ void k(int* x) {}", "k device; "},
      {"__global__ void __launch_bounds__(256) k(int* x) {}", "k device; "},
      {"struct S { int m() { return 1; } int n; };\nint S::p() {}\nint a[] = {f(1), 2};\nint f() {}",
       "p member; f; "},
      {"auto lambda = [](int x) { return x; };\nenum E { a, b };\nint f(int (*g)(int), int h = k({1})) "
       "noexcept(true) {}",
       "f; "},
      {"#define F(x) int x() {}\nF(f)\nint g() {}", "g; "},
      {"// int f() {}\nconst char* s = \"int g() {}\";", ""},
      {"int f() { {{{", "f; "},
      {"}}} int f() {}", "f; "},
  };
  for (const auto& [source, wanted] : cases) EXPECT_EQ(dump(source), wanted) << source;
}

TEST(Definitions, WhatStandsOutsideOfBodiesIsDeclared) {
  const std::set<std::string> declared =
      find_definitions("int f(int x);\nint g() { return h(); }\n").declared;
  EXPECT_TRUE(declared.contains("f"));
  EXPECT_TRUE(declared.contains("g"));
  EXPECT_FALSE(declared.contains("h"));
}

}  // namespace
}  // namespace cuset::benchmarks
