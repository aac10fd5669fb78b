#include "study/analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/lines.h"

namespace cuset::study {
namespace {

// `words` are the tokens of the text; those at `sensitive` use shared memory.
AnalyzedSample sample_of(const std::string& id, const std::vector<std::pair<std::string, float>>& words,
                         const std::vector<size_t>& sensitive) {
  AnalyzedSample sample;
  sample.id = id;
  for (const auto& [text, confidence] : words) {
    AnalyzedToken token;
    token.confidence = confidence;
    token.index = static_cast<uint32_t>(sample.tokens.size());
    token.begin = static_cast<uint32_t>(sample.text.size());
    sample.text += text;
    token.end = static_cast<uint32_t>(sample.text.size());
    sample.tokens.push_back(token);
  }
  for (const size_t i : sensitive) {
    sample.tokens[i].is_sensitive = true;
    sample.tokens[i].kinds = only(cuda_source::RegionKind::kSharedMemory);
  }
  return sample;
}

std::vector<AnalyzedSample> two_samples() {
  return {
      sample_of("a.cu", {{"one\n", 0.5F}, {"two\n", 0.25F}, {"three, \"3\"", 0.0F}, {"\n", 1.0F}}, {1, 2}),
      sample_of("b,c.cu", {{"x", 1.0F}, {"\\y", 0.5F}}, {})};
}

TEST(Analysis, MetricsOfACaseDoneByHand) {
  const std::vector<AnalyzedSample> samples = two_samples();
  const Analysis analysis = analyze(samples, {.windows = {.size = 2, .stride = 1}, .lowest = 2});
  // Neutral: 0.5, 1, 1, 0.5. Windows of a.cu: 0.375, 0.125, 0.5; of b,c.cu: 0.75.
  EXPECT_EQ(analysis.windows.threshold, 0.75);
  EXPECT_EQ(analysis.windows.count, 4u);
  EXPECT_EQ(analysis.windows.low, 3u);
  EXPECT_EQ(analysis.windows.samples_with_low, 1u);
  EXPECT_EQ(analysis.windows.low_in_sensitive, 3u);
  ASSERT_EQ(analysis.lowest.size(), 2u);
  const ShownWindow& lowest = analysis.lowest[0];
  EXPECT_EQ(lowest.sample, "a.cu");
  EXPECT_EQ(lowest.confidence, 0.125);
  EXPECT_EQ(lowest.line, 2u);
  EXPECT_EQ(lowest.text, "two\nthree, \"3\"");
  EXPECT_EQ(lowest.begin_token, 1u);
  EXPECT_EQ(lowest.end_token, 3u);
  EXPECT_EQ(lowest.kinds, only(cuda_source::RegionKind::kSharedMemory));
  EXPECT_EQ(analysis.lowest[1].sample, "b,c.cu") << "the others of a.cu share a token with the lowest";
}

TEST(Analysis, JsonSaysWhatTheMetricsSay) {
  const std::vector<AnalyzedSample> samples = two_samples();
  Analysis analysis = analyze(samples, {.windows = {.size = 2, .stride = 1}, .lowest = 1});
  analysis.model = "M";
  analysis.data = {"a.cu", "b,c.cu"};
  const base::Json json = json_of(analysis);
  EXPECT_EQ(json["format"], "cuset-analysis/1");
  EXPECT_EQ(json["model"], "M");
  EXPECT_FALSE(json.contains("adapter"));
  EXPECT_EQ(json["tokens"], base::Json::parse(R"({"sensitive": 2, "neutral": 4})"));
  EXPECT_EQ(json["confidence"]["edges"].size(), 51u);
  EXPECT_EQ(json["confidence"]["neutral"]["density"].size(), 50u);
  EXPECT_EQ(json["confidence"]["sensitive"]["mean"], 0.125);
  EXPECT_EQ(json["ks"]["statistic"], 1.0);
  EXPECT_NEAR(json["ks"]["log10_p_value"].get<double>(), std::log10(json["ks"]["p_value"].get<double>()),
              1e-12);
  EXPECT_EQ(json["windows"]["samples_with_low"], 0.5);
  EXPECT_EQ(json["windows"]["low_in_sensitive"], 1.0);
  EXPECT_EQ(json["windows"]["all_in_sensitive"], 0.75);
  EXPECT_EQ(
      json["windows"]["by_kind"],
      base::Json::parse(
          R"([{"kind": "shared_memory", "sensitive": true, "low": 3, "share": 1.0, "all_share": 0.75}])"));
  EXPECT_EQ(json["lowest"][0]["tokens"], base::Json::parse(R"([["two\n", 0.25], ["three, \"3\"", 0.0]])"));
  EXPECT_EQ(json["lowest"][0]["kinds"], base::Json::parse(R"(["shared_memory"])"));
}

TEST(Analysis, FilesHoldOneLineForEachTokenAndWindow) {
  const base::TemporaryFolder folder;
  const std::vector<AnalyzedSample> samples = two_samples();
  const Analysis analysis = analyze(samples, {.windows = {.size = 2, .stride = 1}});
  write_analysis(folder.path(), analysis, samples);
  EXPECT_EQ(base::read_file(folder / "tokens.csv"),
            "sample,token,line,confidence,sensitive,kinds,text\n"
            "a.cu,0,1,0.5,0,,one\\n\n"
            "a.cu,1,2,0.25,1,shared_memory,two\\n\n"
            "a.cu,2,3,0,1,shared_memory,\"three, \"\"3\"\"\"\n"
            "a.cu,3,3,1,0,,\\n\n"
            "\"b,c.cu\",0,1,1,0,,x\n"
            "\"b,c.cu\",1,1,0.5,0,,\\\\y\n");
  EXPECT_EQ(base::read_file(folder / "windows.csv"),
            "sample,begin_token,end_token,line,confidence,low,in_sensitive,kinds\n"
            "a.cu,0,2,1,0.375000,1,1,shared_memory\n"
            "a.cu,1,3,2,0.125000,1,1,shared_memory\n"
            "a.cu,2,4,3,0.500000,1,1,shared_memory\n"
            "\"b,c.cu\",0,2,1,0.750000,0,0,\n");
  EXPECT_EQ(base::read_json_file(folder / "analysis.json"), json_of(analysis));
}

TEST(Analysis, NothingToAnalyseIsSaid) { EXPECT_THROW(analyze({}, {}), base::Error); }

}  // namespace
}  // namespace cuset::study
