#include "cuda_source/answer.h"

#include <gtest/gtest.h>

namespace cuset::cuda_source {
namespace {

// "language:code", or why there is none.
std::string extracted(std::string_view answer, BlockChoice choice = BlockChoice::kLast) {
  const Extraction extraction = extract_code(answer, choice);
  if (!extraction.program) {
    static constexpr std::string_view kReasons[] = {"?", "empty", "unfinished reasoning", "no code"};
    return "none: " + std::string(kReasons[static_cast<size_t>(extraction.reason)]);
  }
  std::string joined;
  for (const base::ByteSpan& span : extraction.program->spans) joined += span.of(answer);
  EXPECT_EQ(joined, extraction.program->code) << answer;
  return std::string(name_of(extraction.program->language)) + ":" + extraction.program->code;
}

// "text; text" of kernel bodies and launch configurations.
std::string masked(std::string_view answer, const AnswerOptions& options = {}) {
  std::string result;
  for (const Region& region : find_regions_in_answer(answer, options)) {
    if (!in_cuda_mask(region.kind)) continue;
    if (!result.empty()) result += " ; ";
    result += answer.substr(region.begin, region.end - region.begin);
  }
  return result;
}

struct Case {
  std::string_view answer;
  std::string_view expected;
};

void check_extracted(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(extracted(c.answer), c.expected) << c.answer;
}

void check_masked(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(masked(c.answer), c.expected) << c.answer;
}

TEST(ExtractCode, Fences) {
  check_extracted({
      {"```cuda\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"Here:\n```cpp\n__global__ void k() {}\n```\nDone.", "cuda:__global__ void k() {}\n"},
      {"```\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"~~~cuda\n__global__ void k() {}\n~~~", "cuda:__global__ void k() {}\n"},
      {"```CUDA\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"```c++ title=x\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"```{.cuda}\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"```cuda\r\n__global__ void k() {}\r\n```\r\n", "cuda:__global__ void k() {}\r\n"},
      {"```cuda\n__global__ void k() {", "cuda:__global__ void k() {"},
      {"````cuda\n__global__ void k() {}\n```\nx\n````", "cuda:__global__ void k() {}\n```\nx\n"},
      {"````\n```cuda\n__global__ void k() {}\n```\n````", "cuda:__global__ void k() {}\n"},
      {"```cuda\n__global__ void k() {}\n~~~\n```", "cuda:__global__ void k() {}\n~~~\n"},
      {"```cuda\n__global__ void k() {}\n`````", "cuda:__global__ void k() {}\n"},
      {"  ```cuda\n  __global__ void k() {\n    x;\n  }\n  ```", "cuda:__global__ void k() {\n  x;\n}\n"},
      {"1. Do\n\n   ```python\n   import torch\n   class ModelNew:\n       x = 1\n   ```",
       "python:import torch\nclass ModelNew:\n    x = 1\n"},
      {"```markdown\n```cuda\n__global__ void k() {}\n```\n```", "cuda:__global__ void k() {}\n"},
      {"```cuda\n__global__ void a() {}\n```cuda\n__global__ void b() {}\n```",
       "cuda:__global__ void a() {}\n__global__ void b() {}\n"},
      {"__global__ void k() {}\n```\nThat is all.", "cuda:__global__ void k() {}\n"},
      {"#include <x>\n__global__ void k() {}\n```\nMore:\n```bash\nmake\n```",
       "cuda:#include <x>\n__global__ void k() {}\n"},
      {"Use ```k<<<1,2>>>``` inline.", "cuda:Use ```k<<<1,2>>>``` inline."},
  });
}

TEST(ExtractCode, ChoosesAmongBlocks) {
  const std::string_view two =
      "```cuda\n__global__ void a() {}\nint main() {}\n```\nBetter:\n```cuda\n__global__ void b() {}\nint "
      "main() "
      "{}\n```";
  check_extracted({
      {two, "cuda:__global__ void b() {}\nint main() {}\n"},
      {"```cuda\n__global__ void a() {}\nint main() {}\n```\nThe core:\n```cuda\n__global__ void a() {}\n```",
       "cuda:__global__ void a() {}\nint main() {}\n"},
      {"```cuda\n__global__ void a() {}\n```\n```cuda\nint main() { a<<<1,2>>>(); }\n```",
       "cuda:__global__ void a() {}\nint main() { a<<<1,2>>>(); }\n"},
      {"```cuda\n#include <x>\n```\n```cuda\n__global__ void a() {}\n```",
       "cuda:#include <x>\n__global__ void a() {}\n"},
      {"```cuda\n__global__ void a() {1}\n```\nFaster:\n```cuda\n__global__ void a() {2}\n```",
       "cuda:__global__ void a() {2}\n"},
      {"```cuda\n__global__ void a() {1}\n```\n```cuda\n__global__ void b() {2}\n```",
       "cuda:__global__ void a() {1}\n__global__ void b() {2}\n"},
      {"```cpp\nfloat x = a[i];\n```\n```cuda\n__global__ void a() {}\n```", "cuda:__global__ void a() {}\n"},
      {"```cuda\n__global__ void a() {}\nint main() {}\n```\n```bash\nnvcc a.cu\n```",
       "cuda:__global__ void a() {}\nint main() {}\n"},
      {"```cuda\n__global__ void a() {}\nint main() {}\n```\n```\nnvcc a.cu\n```",
       "cuda:__global__ void a() {}\nint main() {}\n"},
      {"```cuda\n__global__ void a() {}\nint main() {}\n```\n```python\nimport numpy\n```",
       "cuda:__global__ void a() {}\nint main() {}\n"},
      {"```cuda\n__global__ void a() {}\n```\n```python\nimport torch\nclass ModelNew(nn.Module):\n  "
       "pass\n```",
       "python:import torch\nclass ModelNew(nn.Module):\n  pass\n"},
      {"```python\nimport torch\ns = \"\"\"__global__ void k() {}\"\"\"\n```",
       "python:import torch\ns = \"\"\"__global__ void k() {}\"\"\"\n"},
      {"```cpp\nimport torch\nclass ModelNew:\n  pass\n```",
       "python:import torch\nclass ModelNew:\n  pass\n"},
      {"```python\n#include <x>\n__global__ void k() {}\n```", "cuda:#include <x>\n__global__ void k() {}\n"},
      {"```python\nprint(1)\n```", "python:print(1)\n"},
  });
  EXPECT_EQ(extracted(two, BlockChoice::kFirst), "cuda:__global__ void a() {}\nint main() {}\n");
}

TEST(ExtractCode, PlainFilesAndProse) {
  check_extracted({
      {"", "none: empty"},
      {" \n\t", "none: empty"},
      {"I cannot do that.", "none: no code"},
      {"```bash\nls\n```", "none: no code"},
      {"```cuda\n```", "none: no code"},
      {"```", "none: no code"},
      {"#include <x>\nint main() {}\n", "cuda:#include <x>\nint main() {}\n"},
      {"__global__ void k() {}\n", "cuda:__global__ void k() {}\n"},
      {"import torch\nclass ModelNew:\n  pass\n", "python:import torch\nclass ModelNew:\n  pass\n"},
      {"int x;\n__global__ void k() {}\n", "cuda:int x;\n__global__ void k() {}\n"},
  });
}

TEST(ExtractCode, Reasoning) {
  check_extracted({
      {"<think>a</think>\n```cuda\n__global__ void k() {}\n```", "cuda:__global__ void k() {}\n"},
      {"<think>\n```cuda\n__global__ void a() {}\nint main() {}\n```\n</think>\n```cuda\n__global__ void b() "
       "{}\n```",
       "cuda:__global__ void b() {}\n"},
      {"so we need\n```cuda\n__global__ void a() {}\n```\n</think>\n```cuda\n__global__ void b() {}\n```",
       "cuda:__global__ void b() {}\n"},
      {"<think>\n```cuda\nopen\n</think>\n```cuda\n__global__ void b() {}\n```",
       "cuda:__global__ void b() {}\n"},
      {"<think>\n```cuda\n__global__ void a() {}\n```", "none: unfinished reasoning"},
      {"<think>only</think>", "none: no code"},
      {"<think>a</think>#include <x>\n", "cuda:#include <x>\n"},
      {"<thinking>a</thinking>\n```cuda\n__global__ void b() {}\n```", "cuda:__global__ void b() {}\n"},
      {"<|begin_of_thought|>a<|end_of_thought|>\n```cuda\n__global__ void b() {}\n```",
       "cuda:__global__ void b() {}\n"},
      {"<think>a</think>\n```cuda\n__global__ void b() {}\n```\n<think>b</think>\n```bash\nls\n```",
       "cuda:__global__ void b() {}\n"},
      {"The <think> tag.\n```cuda\n__global__ void b() {}\n```", "cuda:__global__ void b() {}\n"},
      {"<think>a <think> b</think> c</think>\n```cuda\n__global__ void b() {}\n```",
       "cuda:__global__ void b() {}\n"},
      {"<think></think>\n\n__global__ void k() {}", "cuda:\n\n__global__ void k() {}"},
  });
}

TEST(AnswerRegions, CodeBlocksOnly) {
  check_masked({
      {"```cuda\n__global__ void k() {1}\n```", "{1}"},
      {"A kernel: __global__ void z() {0}\n```cuda\n__global__ void k() {1}\n```", "{1}"},
      {"```cuda\n__global__ void k() {1}\n```\nand\n```cpp\nk<<<1, 2>>>();\n```", "{1} ; <<<1, 2>>>"},
      {"```bash\n__global__ void k() {1}\n```", ""},
      {"```text\nk<<<1, 2>>>\n```", ""},
      {"```cuda\n__global__ void k() {1", "{1"},
      {"__global__ void k() {1}", "{1}"},
      {"prose only", ""},
      {"", ""},
      {"   ```cuda\n   __global__ void k() {\n     1}\n   ```", "{\n     1}"},
      {"```cuda\n__global__ void k() {1\n```\n```cuda\n__global__ void j() {2}\n```", "{1\n ; {2}"},
  });
}

TEST(AnswerRegions, ReasoningHasNone) {
  const std::string_view answer =
      "<think>\n__global__ void z() {0}\n```cuda\n__global__ void a() "
      "{1}\n```\n</think>\n```cuda\n__global__ void b() "
      "{2}\n```";
  EXPECT_EQ(masked(answer), "{2}");
  AnswerOptions options;
  options.code_in_reasoning = true;
  EXPECT_EQ(masked(answer, options), "{1} ; {2}");
  check_masked({
      {"<think>\n```cuda\n__global__ void a() {1}\n```", ""},
      {"```cuda\n__global__ void a() {1}\n```\n</think>\n```cuda\n__global__ void b() {2}\n```", "{2}"},
      {"<think>x</think>\n__global__ void b() {2}", "{2}"},
  });
}

TEST(AnswerRegions, PythonStrings) {
  check_masked({
      {"import torch\ns = \"\"\"\n__global__ void k() {1}\n\"\"\"", "{1}"},
      {"import torch\ns = '''__global__ void k() {1}'''", "{1}"},
      {"import torch\ns = r\"\"\"__global__ void k() { \"\\n\" }\"\"\"", "{ \"\\n\" }"},
      {"import torch\ns = \"__global__ void k() {\\n 1;\\n}\"", "{\\n 1;\\n}"},
      {"import torch\ns = (\"__global__ void k() {\\n\"\n     \"  1;\\n\"\n     \"}\\n\")",
       "{\\n\"\n     \"  1;\\n\"\n     \"}"},
      {"import torch\ns = \"__global__ void k() {\" + \"1}\"", "{\" + \"1}"},
      {"import torch\ns = \"__global__ void k() {\" \\\n \"1}\"", "{\" \\\n \"1}"},
      {"import torch\ns = f\"\"\"__global__ void k() {{ {N} }}\"\"\"", "{{ {N} }}"},
      {"import torch\ns = f\"__global__ void k() {{ {n:3d} {m!r} {d['a']} }}\"",
       "{{ {n:3d} {m!r} {d['a']} }}"},
      {"import torch\ns = u'\\u005f_global__ void k() {1}'", "{1}"},
      {"import torch\ns = '\\x5f_global__ void k() \\173 1 \\175'", "\\173 1 \\175"},
      {"import torch\n# s = \"\"\"__global__ void k() {1}\"\"\"", ""},
      {"import torch\n\"\"\"__global__ void k() {1}\"\"\"", ""},
      {"import torch\ndef f():\n    \"\"\"__global__ void k() {1}\"\"\"\n    s = \"\"\"__global__ void j() "
       "{2}\"\"\"",
       "{2}"},
      {"import torch\nm = load_inline(name='x', cuda_sources=\"\"\"__global__ void k() {1}\"\"\", "
       "cpp_sources='void f();')",
       "{1}"},
      {"import torch\nm = load_inline(cuda_sources=[\"\"\"__global__ void a() {1}\"\"\", '''__global__ void "
       "b() {2}'''])",
       "{1} ; {2}"},
      {"import torch\ns = \"\"\"__global__ void k() {1", "{1"},
      {"import torch\ns = \"__global__ void k() {1\nx = '}'", "{1"},
      {"import torch\n__global__ = 3\n", ""},
      {"```python\nimport torch\ns = \"\"\"__global__ void k() {1} void f() { k<<<2, 3>>>(); }\"\"\"\n```",
       "{1} ; <<<2, 3>>>"},
      {"import torch\ns = '''__global__ void k() { it''s }'''", "{ it''s }"},
      {"import torch\ns = '''__global__ void k() { \\''' }'''", "{ \\''' }"},
      {"import torch\ns = br'__global__ void k() {1}'", "{1}"},
      {"import torch\ns = Rb'__global__ void k() {1}'", "{1}"},
      {"import torch\ns = xr'__global__ void k() {1}'", "{1}"},
      {"import torch\ns = \"\"\"\\\n__global__ void k() {\\\n1}\"\"\"", "{\\\n1}"},
      {"import torch\ns = \"\"\"__global__ void k() { \xc3\xa9 }\"\"\"", "{ \xc3\xa9 }"},
      {"import torch\ns = \"\"\"__global__ void k() {1}\"\"\".replace('1', '2')", "{1}"},
      {"import torch\ns = '__global__ void k() {1}' % x", "{1}"},
      {"from torch import nn\ns = \"\"\"__global__ void k() { printf(\"a\\n\"); }\"\"\"",
       "{ printf(\"a\\n\"); }"},
  });
}

TEST(AnswerRegions, PythonSpansNameTheirKernels) {
  const std::string_view text = "import torch\ns = \"__global__ void add(int a) {\\n}\"\n";
  EXPECT_EQ(dump_regions(text, find_regions_in_answer(text)),
            "kernel_signature add 2:22-2:32\nkernel_body add 2:33-2:37\n");
}

TEST(AnswerRegions, JsonHasPlaces) {
  const std::string_view text = "\n__global__ void k() {}";
  EXPECT_EQ(base::to_json_line(regions_to_json(text, find_regions(text))),
            R"([{"kind":"kernel_signature","name":"k","begin":17,"end":20,"line":2,"column":17},)"
            R"({"kind":"kernel_body","name":"k","begin":21,"end":23,"line":2,"column":21}])");
}

TEST(KernelUse, NamesWhatIsDefinedAndLaunched) {
  const KernelUse use = find_kernel_use(
      "__global__ void a(); __global__ void b() {} int main() { b<<<1, 2>>>(); ns::c<int><<<1, 2>>>(); }");
  EXPECT_EQ(use.defined, std::vector<std::string>({"b"}));
  EXPECT_EQ(use.launched, std::vector<std::string>({"b", "c"}));
  EXPECT_TRUE(use.mentions_main);
}

}  // namespace
}  // namespace cuset::cuda_source
