// The whole way on a small random model: files, resuming where a run was cut off, heat maps against the
// objective's formulas. That confidences are right is tested in generate/scoring_model_test.cc.
#include "study/analysis_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "support/tiny_model.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource =
    "__global__ void sum(const float* x, float* out, int n) {\n"
    "  __shared__ float part[128];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  part[threadIdx.x] = i < n ? x[i] : 0.0f;\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x == 0) atomicAdd(out, part[0]);\n"
    "}\n"
    "int main() { sum<<<8, 128>>>(nullptr, nullptr, 0); /* \xc3\xa9 */ }\n";

class AnalysisRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    base::set_log_level(base::LogLevel::kSilent);
    model_ = std::make_unique<support::TinyModelFolder>();
    model_->write_config({{"intermediate_size", 64}, {"max_position_embeddings", 400}});
    model_->write_weights();
    shared_ = std::make_unique<base::TemporaryFolder>();
    base::write_file_atomic(*shared_ / "a.cu", kSource);
    base::Json record = {{"prompt", "sum the elements"},
                         {"response", "So:\n```cuda\n" + std::string(kSource) + "```\n"}};
    std::string lines;
    for (int i = 0; i < 3; ++i) {
      record["prompt"] = "sum " + std::to_string(i);
      lines += base::to_json_line(record) + "\n";
    }
    base::write_file_atomic(*shared_ / "data.jsonl", lines + "{\"text\": \"no kernel here\"}\n");
  }
  static void TearDownTestSuite() {
    shared_.reset();
    model_.reset();
    base::set_log_level(base::LogLevel::kInfo);
  }

  AnalysisRequest request(const std::string& output = "out") const {
    AnalysisRequest request;
    request.model.folder = model_->path();
    request.model.placement.threads = 1;
    request.model.placement.device = "cpu";  // where the same bits come out however samples are packed
    request.batch_tokens = 700;
    request.data = {(*shared_ / "a.cu").string(), (*shared_ / "data.jsonl").string()};
    request.output = folder_ / output;
    request.analysis.windows.size = 16;
    return request;
  }

  static std::unique_ptr<support::TinyModelFolder> model_;
  static std::unique_ptr<base::TemporaryFolder> shared_;
  base::TemporaryFolder folder_;
};

std::unique_ptr<support::TinyModelFolder> AnalysisRun::model_;
std::unique_ptr<base::TemporaryFolder> AnalysisRun::shared_;

TEST_F(AnalysisRun, WritesEverythingAndTheSameAgain) {
  const std::optional<Analysis> analysis = run_analysis(request());
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->samples, 4u) << "one of five is prose";
  const std::string json = base::read_file(folder_ / "out/analysis.json");
  EXPECT_EQ(base::parse_json(json, "analysis.json"), json_of(*analysis));
  for (const char* name : {"run.json", "confidences.jsonl", "tokens.csv", "windows.csv"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / name)) << name;
  }
  AnalysisRequest other_packs = request("other");
  other_packs.batch_tokens = 1;
  ASSERT_TRUE(run_analysis(other_packs));
  const base::Json other = base::read_json_file(folder_ / "other/analysis.json");
  EXPECT_EQ(other["windows"]["count"], analysis->windows.count);
  EXPECT_NEAR(other["windows"]["threshold"].get<double>(), analysis->windows.threshold, 1e-6);
}

TEST_F(AnalysisRun, GoesOnFromTheConfidencesThatAreThere) {
  ASSERT_TRUE(run_analysis(request("whole")));
  ASSERT_TRUE(run_analysis(request("out")));
  const std::string whole = base::read_file(folder_ / "out/confidences.jsonl");
  // As a kill leaves it: one line is whole, the next is torn.
  base::write_file_atomic(folder_ / "out/confidences.jsonl", whole.substr(0, whole.find('\n') + 40));
  fs::remove(folder_ / "out/analysis.json");
  ASSERT_TRUE(run_analysis(request("out")));
  EXPECT_EQ(base::parse_json(base::read_file(folder_ / "out/analysis.json"), "")["tokens"],
            base::parse_json(base::read_file(folder_ / "whole/analysis.json"), "")["tokens"]);
  EXPECT_EQ(base::read_file(folder_ / "out/confidences.jsonl").size(), whole.size());
}

TEST_F(AnalysisRun, ForeignLinesAmongTheConfidencesAreRefused) {
  ASSERT_TRUE(run_analysis(request()));
  const std::string place = (folder_ / "out/confidences.jsonl").string();
  const std::pair<const char*, const char*> cases[] = {
      {R"({"sample": "x", "p": [0.5, 2]})", "field 'p[1]' must be a number from 0 to 1, found the number 2"},
      {R"({"sample": 1, "p": []})", "field 'sample' must be a string, found the number 1"},
      {R"([1])", "the top level must be an object, found a list"},
      {R"({"sample": "x", "p": [null]})", "field 'p[0]' must be a number, found null"}};
  for (const auto& [line, message] : cases) {
    base::write_file_atomic(place, std::string(line) + "\n");
    try {
      run_analysis(request());
      FAIL() << line;
    } catch (const base::Error& error) {
      EXPECT_EQ(std::string(error.what()), place + ":1: " + message);
    }
  }
}

TEST_F(AnalysisRun, OtherWindowsNeedNoModel) {
  ASSERT_TRUE(run_analysis(request()));
  const std::string confidences = base::read_file(folder_ / "out/confidences.jsonl");
  AnalysisRequest other = request();
  other.analysis.windows.size = 4;
  other.analysis.sensitivity = Sensitivity::kMask;
  other.batch_tokens = 1;
  const std::optional<Analysis> analysis = run_analysis(other);
  ASSERT_TRUE(analysis);
  EXPECT_EQ(base::read_file(folder_ / "out/confidences.jsonl"), confidences);
  EXPECT_EQ(base::read_json_file(folder_ / "out/analysis.json")["windows"]["size"], 4);
  AnalysisRequest shorter = request();
  shorter.max_tokens = 100;
  EXPECT_THROW(run_analysis(shorter), base::Error) << "other confidences do not mix with these";
}

TEST_F(AnalysisRun, HeatMapFollowsTheObjective) {
  AnalysisRequest wanted = request();
  wanted.kernels = 2;
  wanted.objective.window = 9;
  const std::optional<Analysis> analysis = run_analysis(wanted);
  ASSERT_TRUE(analysis);
  ASSERT_EQ(analysis->kernels.size(), 2u);
  for (const HeatMap& map : analysis->kernels) {
    std::string text;
    std::vector<double> p;
    for (const HeatToken& token : map.tokens) {
      text += token.text;
      if (token.is_supervised) p.push_back(token.confidence);
      EXPECT_EQ(token.is_confident, token.is_supervised && token.confidence > 0.1F);
    }
    ASSERT_EQ(map.window_confidence.size(), p.size());
    double lowest = 1;
    for (size_t t = 0; t < p.size(); ++t) {
      // Eq. 5, counted from 0: t - 4 .. t + 4, clipped.
      const size_t begin = t < 4 ? 0 : t - 4;
      const size_t end = std::min(p.size(), t + 5);
      double sum = 0;
      for (size_t j = begin; j < end; ++j) sum += p[j];
      EXPECT_NEAR(map.window_confidence[t], sum / static_cast<double>(end - begin), 1e-9);
      lowest = std::min(lowest, sum / static_cast<double>(end - begin));
    }
    EXPECT_NEAR(map.sample_weight, 1 - lowest, 1e-9);
    for (const HeatRegion& region : map.regions) {
      std::string part;
      for (size_t i = region.begin; i < region.end; ++i) part += map.tokens[i].text;
      if (region.kind == cuda_source::RegionKind::kSynchronization) {
        EXPECT_TRUE(part.find("__syncthreads()") != part.npos || part.find("atomicAdd(") != part.npos)
            << part;
      }
      if (region.kind == cuda_source::RegionKind::kKernelBody) {
        EXPECT_NE(part.find("__shared__"), part.npos) << part;
      }
    }
    EXPECT_EQ(json_of(map)["tokens"].size(), map.tokens.size());
  }
}

TEST_F(AnalysisRun, LongSamplesAreCutToTheModelsPositions) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += kSource;
  base::write_file_atomic(folder_ / "long.cu", text);
  AnalysisRequest wanted = request();
  wanted.data = {(folder_ / "long.cu").string()};
  const std::optional<Analysis> analysis = run_analysis(wanted);
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->tokens.sensitive.tokens + analysis->tokens.neutral.tokens, 399u);
}

TEST_F(AnalysisRun, DataWithoutCodeIsSaid) {
  base::write_file_atomic(folder_ / "prose.jsonl",
                          "{\"prompt\": \"p\", \"response\": \"```text\\nno\\n```\\n\"}\n");
  AnalysisRequest wanted = request();
  wanted.data = {(folder_ / "prose.jsonl").string()};
  EXPECT_THROW(run_analysis(wanted), base::Error);
}

}  // namespace
}  // namespace cuset::study
