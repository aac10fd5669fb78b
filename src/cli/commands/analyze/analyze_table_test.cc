#include "cli/commands/analyze/analyze_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/lines.h"

namespace cuset::cli {
namespace {

TEST(ProbabilityText, AlsoBelowTheRangeOfDouble) {
  EXPECT_EQ(probability_text(std::log(0.25)), "0.25");
  EXPECT_EQ(probability_text(std::log(4.6e-39)), "4.6e-39");
  EXPECT_EQ(probability_text(-412.0 * std::log(10.0)), "1.0e-412");
  EXPECT_EQ(probability_text(0), "1");
}

TEST(TestInWords, SaysWhatFollows) {
  study::TokenMetrics tokens;
  tokens.test.statistic = 0.25;
  tokens.test.log_p_value = std::log(0.2);
  EXPECT_EQ(test_in_words(tokens),
            "Kolmogorov-Smirnov: D = 0.250, p = 0.2.\nSensitive and neutral tokens cannot be told apart by "
            "confidence.");
  tokens.test.log_p_value = std::log(1e-5);
  tokens.sensitive.mean = 0.9;
  tokens.neutral.mean = 0.8;
  EXPECT_EQ(test_in_words(tokens),
            "Kolmogorov-Smirnov: D = 0.250, p = 1.0e-5.\nThe two distributions differ; on average "
            "CUDA-sensitive tokens are the more confident.");
}

study::Analysis small_analysis() {
  study::AnalyzedSample sample;
  sample.id = "a.cu";
  sample.text = "ab\ncd\033e";
  for (uint32_t i = 0; i < 7; ++i) {
    sample.tokens.push_back({i < 3 ? 0.05F : 0.9F,
                             i < 2 ? study::only(cuda_source::RegionKind::kSharedMemory) : study::kNoKinds,
                             i < 2, i, i, i + 1});
  }
  const std::vector<study::AnalyzedSample> samples = {sample};
  return study::analyze(samples, {.windows = {.size = 5, .stride = 1}, .lowest = 1});
}

TEST(RenderAnalysis, HasTokensTestWindowsAndCode) {
  const std::string text = render_analysis(small_analysis(), {.columns = 80});
  for (const char* part : {"1 sample, 7 tokens of code\n", "CUDA-sensitive          2   28.6 %   0.050",
                           "neutral                 5   71.4 %   0.730",
                           "Windows of 5 tokens, stride 1: 2 of 3 (66.7 %) are low",
                           "shared_memory *                2   0.050         100.0 %          66.7 %",
                           " 1  0.390  a.cu line 1  shared_memory\n", "       1 | ab\n       2 | cd\n"}) {
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find('\033'), text.npos);
}

TEST(RenderAnalysis, ColorMarksUncertainTokensOnly) {
  const std::string text = render_analysis(small_analysis(), {.columns = 80, .color = true});
  EXPECT_NE(text.find("\033[1;38;5;167ma\033[0m"), text.npos) << text;
  EXPECT_EQ(text.find("md\033[0m"), text.npos) << text;
}

TEST(RenderAnalysis, LongLinesOfCodeAreCut) {
  study::AnalyzedSample sample;
  sample.text = std::string(300, 'x');
  for (uint32_t i = 0; i < 30; ++i) {
    sample.tokens.push_back({0.5F, study::kNoKinds, i < 3, i, i * 10, i * 10 + 10});
  }
  const std::vector<study::AnalyzedSample> samples = {sample};
  const std::string text = render_analysis(study::analyze(samples, {}), {.columns = 60});
  for (const std::string_view line : base::lines_of(text)) {
    if (line.find('|') == 9) {
      EXPECT_LE(line.size(), 60u) << line;
    }
  }
}

}  // namespace
}  // namespace cuset::cli
