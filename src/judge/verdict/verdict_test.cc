#include "judge/verdict/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace cuset::judge {
namespace {

Verdict full_verdict() {
  Verdict verdict;
  verdict.task = "softmax_3";
  verdict.family = "softmax";
  verdict.sample = 2;
  verdict.outcome = Outcome::kWrongOutput;
  verdict.explanation = "y[3] is nan, wanted 1";
  verdict.compiler_messages = "answer.cu:3: warning\n";
  Trial trial;
  trial.variation = tasks::Variation::kHeavyTailed;
  trial.outcome = Outcome::kWrongOutput;
  trial.explanation = "why";
  trial.fraction_right = 0.75;
  trial.seconds = 0.5;
  trial.outputs.push_back(
      {"y", 4, 1, HUGE_VAL, HUGE_VAL, 3, {1e-5, 1e-4}, {{3, std::nan(""), 1, "x[3] = 2"}}});
  verdict.trials.push_back(trial);
  execute::RunFinding finding{};
  finding.kind = "race";
  finding.kernel = "k";
  finding.line = 7;
  finding.text = "text";
  finding.count = 4;
  verdict.findings.push_back(finding);
  verdict.unchecked = "no clang";
  verdict.kernels = {"k"};
  verdict.timing = Timing{10, 9, 11, 20, 2, 0.5, 10};
  execute::KernelProfile profile;
  profile.kernel.name = "k<float>";
  profile.kernel.grid[0] = 4;
  profile.kernel.block[2] = 7;
  profile.kernel.launches = 3;
  profile.kernel.total_ms = 0.0125;
  profile.kernel.shared_bytes = 1536;
  profile.kernel.static_shared_bytes = 512;
  profile.kernel.registers = 40;
  profile.kernel.local_bytes = 8;
  profile.share = 0.75;
  profile.occupancy = {0.5, 4, "registers"};
  profile.kernel.footprint_bytes = 8192;
  profile.footprint = {640, 0.125};
  verdict.timing->kernels.push_back(profile);
  verdict.timing->data_bytes = 4096;
  verdict.timing->least_us = 1.5;
  verdict.reward = {1, 1, 0.75, 2};
  verdict.executor = "cpu";
  verdict.compiler = "clang 19";
  verdict.code_hash = "ab";
  verdict.seed = 0xffffffffffffffffull;
  verdict.tokens = 12;
  verdict.build_seconds = 0.25;
  verdict.seconds = 1.5;
  verdict.step_seconds = {{"compile", 0.25}, {"proof", 0.5}};
  return verdict;
}

TEST(Verdict, JsonHoldsEverything) {
  const Verdict verdict = full_verdict();
  const std::string line = base::to_json_line(json_of(verdict));
  const Verdict again = verdict_from_json(base::parse_json(line, "test"), "test");
  EXPECT_EQ(base::to_json_line(json_of(again)), line);
  EXPECT_EQ(again.seed, verdict.seed);
  EXPECT_TRUE(std::isnan(again.trials[0].outputs[0].first[0].got));
  EXPECT_EQ(again.trials[0].variation, tasks::Variation::kHeavyTailed);
  EXPECT_EQ(again.timing->speedup, 2);
  ASSERT_EQ(again.timing->kernels.size(), 1u);
  EXPECT_EQ(again.timing->kernels[0].kernel.shared_bytes, 1536u);
  EXPECT_EQ(again.timing->kernels[0].kernel.block[2], 7u);
  EXPECT_EQ(again.timing->kernels[0].occupancy.limit, "registers");
  EXPECT_EQ(again.timing->kernels[0].kernel.footprint_bytes, 8192u);
  EXPECT_EQ(again.timing->kernels[0].footprint.gigabytes_per_second, 640);
  EXPECT_EQ(again.timing->kernels[0].footprint.share, 0.125);
}

TEST(Verdict, WholeNumbersKeepTheirDigitsInJson) {
  Verdict verdict = full_verdict();
  verdict.trials[0].outputs[0].first = {{7, 1e18, 2, "", "1000000000000000001", "2"}, {8, 3, 4, ""}};
  const std::string line = base::to_json_line(json_of(verdict));
  EXPECT_NE(line.find(R"("got":1000000000000000001,"wanted":2})"), std::string::npos) << line;
  const Verdict again = verdict_from_json(base::parse_json(line, "test"), "test");
  EXPECT_EQ(again.trials[0].outputs[0].first[0].got_text(), "1000000000000000001");
  EXPECT_FALSE(again.trials[0].outputs[0].first[1].is_whole()) << "3.0 is not a whole number's output";
}

TEST(Verdict, EveryOutcomeHasItsName) {
  for (int i = 0; i < kOutcomes; ++i) {
    const Outcome outcome = static_cast<Outcome>(i);
    EXPECT_EQ(outcome_named(name_of(outcome)), outcome);
  }
  EXPECT_EQ(name_of(Outcome::kWrongShape), "wrong_shape");
  EXPECT_FALSE(outcome_named("right").has_value());
}

TEST(Verdict, UnjudgedAnswersAreNeitherCompiledNorNot) {
  EXPECT_FALSE(compiled(Outcome::kCompileError));
  EXPECT_FALSE(compiled(Outcome::kLinkError));
  EXPECT_TRUE(compiled(Outcome::kLaunchError));
  EXPECT_TRUE(compiled(Outcome::kCorrect));
  EXPECT_FALSE(compiled(Outcome::kUnsupported));
  EXPECT_FALSE(is_verdict(Outcome::kFaultyTask));
}

TEST(Verdict, BadRecordsNameTheirPlaceAndKey) {
  const auto message = [](const char* key, const base::Json& value) {
    base::Json record = json_of(full_verdict());
    record[key] = value;
    try {
      verdict_from_json(record, "v.jsonl:3");
    } catch (const base::Error& error) {
      return error.one_line();
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("word", "right"),
            "v.jsonl:3: field 'word' must be the outcome of a verdict, found the string \"right\"");
  EXPECT_EQ(message("sample", -1),
            "v.jsonl:3: field 'sample' must be a whole number of 0 or more, found the number -1");
  EXPECT_EQ(message("trials", 3), "v.jsonl:3: field 'trials' must be a list, found the number 3");
  EXPECT_EQ(message("reward", "x"), "v.jsonl:3: field 'reward' must be an object, found the string \"x\"");
}

}  // namespace
}  // namespace cuset::judge
