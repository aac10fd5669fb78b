// Programs composed from parts, whose regions are known by construction; and what must hold for every cut of
// them.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda_source/answer.h"
#include "cuda_source/lexer.h"
#include "cuda_source/regions.h"

namespace cuset::cuda_source {
namespace {

// A text under construction together with its regions.
struct Expected {
  std::string text;
  std::vector<Region> regions;

  void add(std::string_view piece) { text += piece; }
  void add(std::string_view piece, RegionKind kind, std::string_view name) {
    regions.push_back({text.size(), text.size() + piece.size(), kind, std::string(name)});
    text += piece;
  }
};

constexpr std::string_view kPrefixes[] = {
    "",
    "template <typename T, int N = (4 > 3)>\n",
    "extern \"C\" ",
    "static ",
    "[[maybe_unused]] ",
    "namespace n { struct S { static ",
};
constexpr std::string_view kClosers[] = {"", "", "", "", "", "};}"};
// %: stands for the gap between two words.
constexpr std::string_view kHeads[] = {
    "__global__%void%",
    "void%__global__%",
    "__global__%void%__launch_bounds__(256, 2)%",
    "__global__%__launch_bounds__(N * (1 << 2))%void%",
    "__launch_bounds__(128)%__global__%inline%void%",
    "__global__%__attribute__((noinline))%void%",
    "__global__%void%MACRO_ATTRIBUTE%",
    "__global__%void%MACRO_BOUNDS(64)%",
    "__global__%auto%",
};
constexpr std::string_view kGaps[] = {" ", "\n", "/* __global__ void x() { */", " // void y() {\n", " \\\n "};
constexpr std::string_view kParameters[] = {
    "()",
    "(const float* a, int n = (3 > 2))",
    "(A<B<int>>* a, float (*f)(int, int))",
    "(int a /* ) { */)",
};
constexpr std::string_view kTails[] = {" ", " noexcept ", "\n#pragma x {\n"};
constexpr std::string_view kBodies[] = {
    "{}",
    "{ if (a < b) { c >>= 1; } else { d = '}'; } }",
    "{ const char* s = \"}{\"; /* } */ x = R\"(})\"; // }\n }",
    "{\n#ifdef A\n for (;;) {\n#else\n while (1) {\n#endif\n x[i] = y; } }",
    "{ auto f = [=](int i) { return A<B<C<int>>>{}; }; }",
};

void add_kernel(Expected& program, size_t seed, const std::string& name) {
  const auto pick = [&](const auto& list) {
    const size_t index = seed % std::size(list);
    seed /= std::size(list);
    return list[index];
  };
  const size_t prefix = seed % std::size(kPrefixes);
  seed /= std::size(kPrefixes);
  const std::string_view gap = pick(kGaps);
  program.add(kPrefixes[prefix]);
  const std::string_view head = pick(kHeads);
  for (const char c : head) {
    c == '%' ? program.add(gap) : program.add(std::string_view(&c, 1));
  }
  const std::string_view parameters = pick(kParameters);
  program.add(name + std::string(parameters), RegionKind::kKernelSignature, name);
  program.add(head == "__global__%auto%" ? "-> void" : pick(kTails));
  program.add(pick(kBodies), RegionKind::kKernelBody, name);
  program.add(kClosers[prefix]);
  program.add("\n");
}

struct LaunchForm {
  std::string_view before;         // after the kernel's name
  std::string_view configuration;  // `@` is the variable block
};
constexpr LaunchForm kLaunches[] = {
    {"", "<<<1, @>>>"},
    {"<float>", "<<<g<A<B<int>>>(), @>>>"},
    {"<A<B<C>>>", "<<<n >> 3, @, 0, s>>>"},
    {"<T, (N >> 1)>", "<<<dim3{1, 2}, @>>>"},
    {" ", "<<< (n + @ - 1) / @ , @ >>>"},
    {"/* c */", "<<<a < b ? 1 : 2, @>>>"},
    {"\n", "<<<1 // >>>\n, @>>>"},
};
constexpr std::string_view kDefinitions[] = {
    "dim3 block(16, 16);",
    "int block = 256;",
    "const auto block = dim3{4, 4};",
    "unsigned block{32};",
    "dim3\n block = dim3(1 /* ; */, 2);",
};

void add_launch(Expected& program, size_t seed, const std::string& name) {
  const LaunchForm& form = kLaunches[seed % std::size(kLaunches)];
  program.add("void run_" + name + "(int n) {\n  ");
  program.add(kDefinitions[seed / 7 % std::size(kDefinitions)], RegionKind::kLaunchDefinition, "block");
  program.add("\n  float unused = 1;\n  " + name);
  program.add(form.before);
  std::string configuration;
  for (const char c : form.configuration)
    configuration += c == '@' ? std::string("block") : std::string(1, c);
  program.add(configuration, RegionKind::kLaunchConfiguration, name);
  program.add("(f<A<B<C>>>(unused));\n}\n");
}

Expected make_program(size_t seed) {
  Expected program;
  program.add("#include <a>\n#define N 3\n");
  for (int i = 0; i < 2; ++i) {
    const std::string name = "kernel_" + std::to_string(i);
    const size_t own = seed * 2 + static_cast<size_t>(i);
    program.add("__global__ void prototype(int a);\n");
    add_kernel(program, own * 7919, name);
    add_launch(program, own, name);
  }
  program.add("int main() { return 0; }\n");
  sort_regions(program.regions);
  return program;
}

TEST(Generated, RegionsAreThoseOfTheConstruction) {
  for (size_t seed = 0; seed < 3000; ++seed) {
    const Expected program = make_program(seed);
    ASSERT_EQ(dump_regions(program.text, find_regions(program.text)),
              dump_regions(program.text, program.regions))
        << program.text;
  }
}

TEST(Generated, EveryHeadWithEveryBody) {
  size_t all = std::size(kPrefixes) * std::size(kGaps) * std::size(kHeads) * std::size(kParameters) *
               std::size(kTails) * std::size(kBodies);
  for (size_t seed = 0; seed < all; ++seed) {
    Expected program;
    add_kernel(program, seed, "k");
    sort_regions(program.regions);
    ASSERT_EQ(dump_regions(program.text, find_regions(program.text)),
              dump_regions(program.text, program.regions))
        << program.text;
  }
}

TEST(Generated, AnswersShiftTheSameRegions) {
  for (size_t seed = 0; seed < 300; ++seed) {
    const Expected program = make_program(seed);
    const std::string before = "<think>__global__ void no() {}</think>\nHere it is.\n\n```cuda\n";
    const std::string answer = before + program.text + "```\nDone: `k<<<1, 2>>>()`.\n";
    std::vector<Region> shifted = program.regions;
    for (Region& region : shifted) region.begin += before.size(), region.end += before.size();
    ASSERT_EQ(dump_regions(answer, find_regions_in_answer(answer)), dump_regions(answer, shifted)) << answer;
    ASSERT_EQ(extract_code(answer).program.value().code, program.text);
  }
}

std::string python_literal(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    literal += c == '\n'   ? "\\n"
               : c == '"'  ? "\\\""
               : c == '\\' ? "\\\\"
               : c == '{'  ? "\\x7b"
                           : std::string(1, c);
  }
  return literal + "\"";
}

// The text of the source behind a decoded region, decoded again, must be the region.
TEST(Generated, PythonEscapesMapBack) {
  for (size_t seed = 0; seed < 300; ++seed) {
    const Expected program = make_program(seed);
    const std::string file = "import torch\nsource = " + python_literal(program.text) + "\n";
    const std::vector<Region> regions = find_regions_in_answer(file);
    ASSERT_EQ(regions.size(), program.regions.size());
    for (size_t i = 0; i < regions.size(); ++i) {
      const Region& wanted = program.regions[i];
      const std::string quoted = python_literal(program.text.substr(wanted.begin, wanted.end - wanted.begin));
      ASSERT_EQ(file.substr(regions[i].begin, regions[i].end - regions[i].begin),
                quoted.substr(1, quoted.size() - 2));
      ASSERT_EQ(regions[i].name, wanted.name);
    }
  }
}

bool is_main_kind(const Region& region) {
  return region.kind == RegionKind::kKernelBody || region.kind == RegionKind::kLaunchConfiguration;
}

// A cut program has the regions of the whole that end before the cut, and at most regions that end at the
// cut.
TEST(Generated, EveryPrefixAgreesWithTheWhole) {
  for (size_t seed = 0; seed < 24; ++seed) {
    const Expected program = make_program(seed * 131);
    for (size_t length = 0; length <= program.text.size(); ++length) {
      const std::string_view prefix = std::string_view(program.text).substr(0, length);
      std::vector<Region> finished;
      for (const Region& region : find_regions(prefix)) {
        ASSERT_LT(region.begin, region.end);
        ASSERT_LE(region.end, length);
        if (region.end < length && is_main_kind(region)) finished.push_back(region);
      }
      for (const Region& region : finished) {
        ASSERT_NE(std::find(program.regions.begin(), program.regions.end(), region), program.regions.end())
            << prefix << "\n"
            << dump_regions(prefix, finished);
      }
      for (const Region& region : program.regions) {
        if (!is_main_kind(region) || region.end >= length) continue;
        ASSERT_NE(std::find(finished.begin(), finished.end(), region), finished.end()) << prefix;
      }
    }
  }
}

// Deep nesting and long repetitions stay linear; were one quadratic, this would take minutes.
TEST(Generated, HostileInputStaysLinear) {
  const std::string_view pieces[] = {
      "(",
      "{",
      "[",
      "<",
      "a<",
      "<<<",
      "k<<<",
      "k<<<(",
      "__global__ ",
      "__global__ a<",
      "__global__ a(",
      "__device__ a<",
      "#if A\n{",
      "#if A\n#else\n",
      "#if A\n{\n#else\n{\n",
      "#if A\n__global__ a\n#else\n",
      "#if A\n}\n#else\n}\n#endif\n",
      "cudaLaunchKernel(",
      "cudaLaunchKernel(a<",
      "cudaLaunchKernel(k,g,b);",
      "k<<<a>>>",
      "/*",
      "R\"(",
      "\"",
      "'",
      "\\\n",
      "\\  ",
      "*",
      "*(",
      "reinterpret_cast<",
      "((float*)a)[",
      "int a;k<<<a>>>();",
      "a=a;",
      "int a=b,",
      "}",
      ")",
      "])",
      "}{",
      "```\n",
      "```cuda\n__global__ void k() {}\n```\n",
      "<think>",
      "</think>",
      "\"\"\"",
      "f\"{",
      "#define K __global__ {\n",
      "#define A __global__\nA ",
      ">>>",
      "a.",
      "a(",
      "if(a){",
      "__shared__ a[",
      "asm(",
      "for(",
      "auto[a]=",
      "g.sync(",
      "atomicAdd(",
      "__device__ void f() {",
      "__global__ void k() {",
      "template<class T> __global__ void k() {",
      "a?b:",
      "tex2D<",
      "__ldg(*",
  };
  RegionOptions options;
  options.sensitivity = options.device_functions = true;
  AnswerOptions answer_options;
  answer_options.regions = options;
  for (const std::string_view piece : pieces) {
    for (const std::string_view opening :
         {"", "__global__ void k(int* a) {", "import torch\ns = '''", "void f() { k<<<"}) {
      std::string text(opening);
      while (text.size() < 100'000) text += piece;
      find_regions(text, options);
      find_regions_in_answer(text, answer_options);
      extract_code(text);
    }
  }
}

}  // namespace
}  // namespace cuset::cuda_source
