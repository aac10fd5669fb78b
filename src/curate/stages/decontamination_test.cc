#include "curate/stages/decontamination.h"

#include <gtest/gtest.h>

#include "data/messages.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

constexpr const char* kBenchmarkKernel =
    "__global__ void saxpy(const float* x, float* y, float a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n";
constexpr const char* kBenchmarkPrompt =
    "Write a CUDA program that multiplies a vector of one million numbers by a constant and adds another vector to the "
    "result, element by element.";

Row row_of(const std::string& prompt, const std::string& response) {
  Row row;
  row.messages =
      base::Json::array({data::make_message("user", prompt), data::make_message("assistant", response)});
  return row;
}

BenchmarkTexts benchmark(double overlap = 0.8) {
  BenchmarkTexts texts(overlap);
  support::TestFolder folder;
  texts.add_file(folder.write(
      "bench.jsonl",
      base::to_json_line({{"id", 1},
                          {"levels", base::Json::array({{{"text", kBenchmarkPrompt}}})},
                          {"bench.cu", std::string(kBenchmarkKernel) +
                                           "int main() { saxpy<<<4, 256>>>(0, 0, 2, 1000); }\n"}}) +
          "\n"));
  return texts;
}

TEST(BenchmarkTexts, ReadsEveryStringOfARecord) {
  const BenchmarkTexts texts = benchmark();
  EXPECT_EQ(texts.programs(), 1u);
  EXPECT_EQ(texts.prompts(), 2u);  // the program's text counts, too
}

TEST(BenchmarkTexts, ARenamedKernelInAnotherProgramIsFound) {
  const Row row =
      row_of("Do something.",
             "#include <cstdio>\n__global__ void f(const float* in, float* out, float factor, int count) {\n"
             "  int k = blockIdx.x * blockDim.x + threadIdx.x; // place\n"
             "  if (k < count) out[k] = factor * in[k] + out[k];\n}\n"
             "int main() { printf(\"x\"); f<<<4, 256>>>(0, 0, 2, 1000); }\n");
  const auto found = benchmark().find_in(row);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ends_with("bench.jsonl:1: the same program")) << *found;
}

TEST(BenchmarkTexts, MostOfAKernelIsFoundByItsRuns) {
  std::string changed = kBenchmarkKernel;
  changed.replace(changed.find("+ y[i]"), 6, "- 1");
  const Row row = row_of("Do something.", changed + "int main() { saxpy<<<4, 256>>>(0, 0, 2, 1000); }\n");
  EXPECT_TRUE(benchmark(0.5).find_in(row));
  EXPECT_FALSE(benchmark(1.0).find_in(row));
}

TEST(BenchmarkTexts, APromptWithinALongerOneIsFound) {
  const std::string other = "__global__ void k(int* p) { p[threadIdx.x] = 7 * threadIdx.x + blockIdx.x; }";
  const auto found =
      benchmark().find_in(row_of("Please: " + std::string(kBenchmarkPrompt) + " Thanks!", other));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ends_with("100 % of the runs of its prompt")) << *found;
  EXPECT_FALSE(benchmark().find_in(row_of("Write a CUDA program that adds two vectors.", other)));
}

}  // namespace
}  // namespace cuset::curate
