// The benchmark programs as answers: a fenced program comes back byte for byte with its regions shifted, the
// same program inside a Python string has the same regions, and PyTorch references without CUDA have none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "base/json/json.h"
#include "cuda_source/answer.h"

namespace cuset::cuda_source {
namespace {

std::filesystem::path benchmark_file(const std::string& name) {
  const char* folder = std::getenv("CUSET_FIXTURES");
  return std::filesystem::path(folder != nullptr ? folder : "../shared/fixtures") / "benchmarks" / name;
}

std::vector<std::string> read_programs(const std::filesystem::path& path, const std::string& field) {
  std::vector<std::string> programs;
  const std::string content = base::read_file(path);
  for (size_t begin = 0; begin < content.size();) {
    const size_t end = std::min(content.find('\n', begin), content.size());
    programs.push_back(
        base::parse_json(content.substr(begin, end - begin), path.string()).at(field).get<std::string>());
    begin = end + 1;
  }
  return programs;
}

std::vector<Region> shifted(std::vector<Region> regions, size_t offset) {
  for (Region& region : regions) region.begin += offset, region.end += offset;
  return regions;
}

TEST(BenchmarkAnswers, CudaBenchProgramsSurviveFencesAndStrings) {
  const auto path = benchmark_file("cudabench-open.jsonl");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path << " (set CUSET_FIXTURES)";
  for (const std::string& program : read_programs(path, "bench.cu")) {
    const std::vector<Region> regions = find_regions(program);
    const auto is = [](RegionKind kind) {
      return [kind](const Region& region) { return region.kind == kind; };
    };
    EXPECT_TRUE(std::any_of(regions.begin(), regions.end(), is(RegionKind::kKernelBody)));
    EXPECT_TRUE(std::any_of(regions.begin(), regions.end(), is(RegionKind::kLaunchConfiguration)));

    const std::string intro = "<think>\nLet me see.\n</think>\nThe program:\n```cuda\n";
    const std::string answer = intro + program + "\n```\n";
    const Extraction extraction = extract_code(answer);
    ASSERT_TRUE(extraction.program.has_value());
    EXPECT_EQ(extraction.program->code, program + "\n");
    EXPECT_EQ(find_regions_in_answer(answer), shifted(regions, intro.size()));

    const std::string opening = "import torch\nsource = r'''";
    EXPECT_EQ(find_regions_in_answer(opening + program + "'''\n"), shifted(regions, opening.size()));
  }
}

TEST(BenchmarkAnswers, KernelBenchReferencesArePythonWithoutRegions) {
  const auto path = benchmark_file("kernelbench-open.jsonl");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path << " (set CUSET_FIXTURES)";
  for (const std::string& code : read_programs(path, "code")) {
    EXPECT_TRUE(find_regions_in_answer(code).empty());
    const Extraction extraction = extract_code("```python\n" + code + "\n```");
    ASSERT_TRUE(extraction.program.has_value()) << code;
    EXPECT_EQ(extraction.program->language, ProgramLanguage::kPython);
    EXPECT_EQ(extraction.program->code, code + "\n");
  }
}

}  // namespace
}  // namespace cuset::cuda_source
