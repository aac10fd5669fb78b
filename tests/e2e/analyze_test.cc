// cuset analyze as a user runs it, on a small random model.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "e2e/program.h"
#include "e2e/small_model.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kData = "testdata/data/kernels.jsonl";

class Analyze : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    small_ = std::make_unique<SmallModel>();
    sources_ = std::make_unique<base::TemporaryFolder>();
    fs::create_directories(*sources_ / "kernels/deep");
    for (const char* name : {"kernels/a.cu", "kernels/deep/b.cuh"}) {
      base::write_file_atomic(
          *sources_ / name,
          "__global__ void f(float* x) {\n  __sources__ float s[32];\n  s[threadIdx.x] = "
          "x[threadIdx.x];\n  __syncthreads();\n  x[threadIdx.x] = s[0];\n}\nvoid g(float* x) "
          "{ f<<<1, 32>>>(x); }\n");
    }
  }
  static void TearDownTestSuite() {
    small_.reset();
    sources_.reset();
  }

  static std::string model() { return small_->model(); }
  static std::string adapter() { return small_->adapter(); }
  std::string place(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<std::string> command(const std::string& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"analyze",  "--model",    model(),     "--data", data,
                                      "--output", place("out"), "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  sandbox::ProcessResult analyze(const std::string& data, const std::vector<std::string>& more = {}) const {
    return run_cuset(command(data, more));
  }

  static std::unique_ptr<SmallModel> small_;
  static std::unique_ptr<base::TemporaryFolder> sources_;
  base::TemporaryFolder folder_;
};

std::unique_ptr<SmallModel> Analyze::small_;
std::unique_ptr<base::TemporaryFolder> Analyze::sources_;

TEST_F(Analyze, TableFilesAndTheLowestWindows) {
  const sandbox::ProcessResult result = analyze(kData);
  ASSERT_EQ(result.exit_status, 0) << result.output;
  for (const char* part : {"samples, ", "CUDA-sensitive", "neutral", "Kolmogorov-Smirnov: D = ",
                           "Windows of 64 tokens, stride 1: ", "thread_indexing *", "lowest windows"}) {
    EXPECT_TRUE(has(result.output, part)) << part << "\n" << result.output;
  }
  EXPECT_TRUE(has(result.output, "results: " + place("out"))) << result.output;
  EXPECT_TRUE(has(result.output, "report:  " + place("out/report.html"))) << result.output;
  EXPECT_TRUE(has(base::read_file(folder_ / "out/report.html"), "<!doctype html>"));
  const base::Json analysis = base::read_json_file(folder_ / "out/analysis.json");
  EXPECT_EQ(analysis["format"], "cuset-analysis/1");
  EXPECT_EQ(analysis["model"], model());
  EXPECT_GT(analysis["tokens"]["sensitive"], 0);
  EXPECT_FALSE(analysis["lowest"].empty());
  EXPECT_FALSE(analysis["kernels"].empty());
  EXPECT_EQ(base::read_json_file(folder_ / "out/run.json")["command"], "analyze");
  for (const char* name : {"confidences.jsonl", "tokens.csv", "windows.csv"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / name)) << name;
  }
}

TEST_F(Analyze, FoldersOfSourcesAndJson) {
  const sandbox::ProcessResult result =
      analyze((*sources_ / "kernels").string(), {"--json", "--quiet", "--kernels", "1"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json analysis = base::parse_json(result.output, "standard output");
  EXPECT_EQ(analysis["samples"], 2);
  EXPECT_EQ(analysis["kernels"].size(), 1u);
  EXPECT_EQ(analysis, base::read_json_file(folder_ / "out/analysis.json"));
}

TEST_F(Analyze, OtherWindowsUseTheConfidencesThatAreThere) {
  ASSERT_EQ(analyze(kData).exit_status, 0);
  const sandbox::ProcessResult again =
      analyze(kData, {"--window", "16", "--stride", "4", "--labels", "mask"});
  ASSERT_EQ(again.exit_status, 0) << again.output;
  EXPECT_TRUE(has(again.output, "are there already")) << again.output;
  EXPECT_TRUE(has(again.output, "Windows of 16 tokens, stride 4")) << again.output;
  EXPECT_FALSE(has(again.output, "loaded in")) << again.output;
  const sandbox::ProcessResult other = analyze(kData, {"--adapter", adapter()});
  EXPECT_EQ(other.exit_status, 1) << other.output;
  EXPECT_TRUE(has(other.output, "holds confidences of another run: adapter_hash")) << other.output;
}

TEST_F(Analyze, AdapterChangesConfidences) {
  ASSERT_EQ(analyze(kData).exit_status, 0);
  const base::Json base = base::read_json_file(folder_ / "out/analysis.json");
  fs::remove_all(folder_ / "out");
  ASSERT_EQ(analyze(kData, {"--adapter", adapter()}).exit_status, 0);
  const base::Json tuned = base::read_json_file(folder_ / "out/analysis.json");
  EXPECT_EQ(tuned["tokens"], base["tokens"]);
  EXPECT_NE(tuned["confidence"]["neutral"]["mean"], base["confidence"]["neutral"]["mean"]);
  EXPECT_EQ(tuned["adapter"], adapter());
}

TEST_F(Analyze, InterruptedItEndsInOrderAndGoesOn) {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += base::read_file(kData);
  base::write_file_atomic(folder_ / "many.jsonl", many);
  const std::vector<std::string> flags = {"--batch-tokens", "1"};
  {
    StartedProgram program(command(place("many.jsonl"), flags), folder_ / "log");
    ASSERT_TRUE(program.wait_for(folder_ / "out/confidences.jsonl")) << program.output();
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    EXPECT_TRUE(has(program.output(), "interrupted: the same command resumes later")) << program.output();
  }
  EXPECT_FALSE(fs::exists(folder_ / "out/analysis.json"));
  StartedProgram again(command(place("many.jsonl"), flags), folder_ / "log");
  const auto size = fs::file_size(folder_ / "out/confidences.jsonl");
  while (again.is_running() && fs::file_size(folder_ / "out/confidences.jsonl") <= size) usleep(10'000);
  again.signal(SIGTERM);
  again.wait();
  EXPECT_TRUE(has(again.output(), "samples are there already")) << again.output();
}

TEST_F(Analyze, MistakesAreOneLineWithAWayOut) {
  base::write_file_atomic(folder_ / "plain.cu", "int main() { return 0; }\n");
  base::write_file_atomic(folder_ / "bad.jsonl", "{\"prompt\": 1}\n");
  const auto verdict = [&](const std::vector<std::string>& flags, const std::string& data, int status) {
    std::vector<std::string> words = {"--quiet"};
    words.insert(words.end(), flags.begin(), flags.end());
    const sandbox::ProcessResult result = analyze(data, words);
    EXPECT_EQ(result.exit_status, status) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    return result.output;
  };
  EXPECT_TRUE(has(verdict({}, place("nowhere.cu"), 2), "there is no"));
  EXPECT_TRUE(has(verdict({}, "README.md", 2), "is neither .jsonl nor .json, .cu or .cuh"));
  EXPECT_TRUE(has(verdict({"--window", "0"}, kData, 2), "window is 0, but must be at least 1"));
  EXPECT_TRUE(has(verdict({"--windw", "3"}, kData, 2), "--window"));
  EXPECT_TRUE(has(verdict({"--adapter", place("nothing")}, kData, 2), "there is no folder"));
  EXPECT_TRUE(has(verdict({}, place("bad.jsonl"), 1), "bad.jsonl:1"));
  EXPECT_FALSE(fs::exists(folder_ / "out")) << "nothing was begun";
  EXPECT_TRUE(has(verdict({}, place("plain.cu"), 1), "is CUDA-sensitive: there is nothing to compare"));
}

}  // namespace
}  // namespace cuset::tests
