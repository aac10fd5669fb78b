#include "judge/results/summary.h"

#include <gtest/gtest.h>

namespace cuset::judge {
namespace {

std::vector<Verdict> verdicts_of(const std::string& task, const std::vector<Outcome>& outcomes) {
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    Verdict& verdict = verdicts.emplace_back();
    verdict.task = task;
    verdict.sample = static_cast<uint32_t>(i);
    verdict.outcome = outcomes[i];
    verdict.reward.compiled = compiled(outcomes[i]) ? 1 : 0;
  }
  return verdicts;
}

std::vector<Verdict> joined(std::initializer_list<std::vector<Verdict>> lists) {
  std::vector<Verdict> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Verdict timed(const std::string& task, Outcome outcome, double speedup) {
  Verdict verdict = verdicts_of(task, {outcome})[0];
  verdict.timing.emplace();
  verdict.timing->speedup = speedup;
  return verdict;
}

// 1, 2 and none of three samples correct; 2, 3 and none compile.
std::vector<Verdict> three_tasks() {
  return joined({verdicts_of("a", {Outcome::kCorrect, Outcome::kWrongOutput, Outcome::kCompileError}),
                 verdicts_of("b", {Outcome::kTimeout, Outcome::kCorrect, Outcome::kCorrect}),
                 verdicts_of("c", {Outcome::kNoCode, Outcome::kRejected, Outcome::kLinkError})});
}

TEST(Summary, PassRatesByHand) {
  const int ks[] = {1, 2, 3};
  const Summary summary = summarize(three_tasks(), ks);
  EXPECT_EQ(summary.tasks, 3u);
  EXPECT_EQ(summary.answers, 9u);
  EXPECT_EQ(summary.unjudged, 0u);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, (1.0 / 3 + 2.0 / 3 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.function_pass.at(2).unbiased->value, (2.0 / 3 + 1 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.function_pass.at(3).unbiased->value, 2.0 / 3, 1e-12);
  EXPECT_NEAR(summary.compile_pass.at(1).unbiased->value, (2.0 / 3 + 1 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.compile_pass.at(3).unbiased->value, 2.0 / 3, 1e-12);
}

// KernelBench: an answer that defines no kernel is refused before anything is compiled.
TEST(Summary, WhatNoCompilerSawDidNotCompile) {
  std::vector<Verdict> verdicts = verdicts_of("a", {Outcome::kNoKernel, Outcome::kNoKernel, Outcome::kHack});
  verdicts[0].reward.compiled = 0;
  verdicts[2].reward.compiled = 0;
  EXPECT_NEAR(summarize(verdicts, kSummaryKs).compile_pass.at(1).unbiased->value, 1.0 / 3, 1e-12);
}

TEST(Summary, IntervalsComeFromResamplingTasks) {
  const base::Interval interval = summarize(three_tasks(), kSummaryKs).function_pass.at(1).unbiased->interval;
  EXPECT_GE(interval.low, 0);
  EXPECT_LT(interval.low, 1.0 / 3);
  EXPECT_GT(interval.high, 1.0 / 3);
  EXPECT_LE(interval.high, 2.0 / 3);
}

TEST(Summary, CudabenchsRateLooksAtTheFirstSamples) {
  const int ks[] = {1, 2};
  std::vector<Verdict> shuffled = three_tasks();
  std::reverse(shuffled.begin(), shuffled.end());
  const Summary summary = summarize(shuffled, ks);
  EXPECT_NEAR(*summary.function_pass.at(1).first_k, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*summary.function_pass.at(2).first_k, 2.0 / 3, 1e-12);
}

TEST(Summary, TooFewAnswersGiveNoRate) {
  const Summary summary =
      summarize(joined({verdicts_of("a", {Outcome::kCorrect, Outcome::kCorrect, Outcome::kCorrect}),
                        verdicts_of("b", {Outcome::kCrash})}),
                kSummaryKs);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, 0.5, 1e-12);
  EXPECT_FALSE(summary.function_pass.at(3).unbiased);
  EXPECT_FALSE(summary.function_pass.at(3).first_k);
}

TEST(Summary, OfAllAnswersThoseWithoutVerdictAreWrong) {
  const std::vector<Verdict> verdicts =
      joined({verdicts_of("a", {Outcome::kCorrect, Outcome::kUnsupported, Outcome::kUnsupported,
                                Outcome::kUnsupported}),
              verdicts_of("b", {Outcome::kFaultyTask})});
  const Summary summary = summarize(verdicts, kSummaryKs);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, 1, 1e-12);
  EXPECT_NEAR(summary.function_pass_of_all.at(1).unbiased->value, 0.125, 1e-12);
  const base::Json json = json_of(summary);
  EXPECT_NEAR(json["function_pass_of_all"]["1"]["unbiased"]["value"].get<double>(), 0.125, 1e-12);
  EXPECT_NEAR(json["function_pass_of_all"]["1"]["first_k"].get<double>(), 0.5, 1e-12);
}

TEST(Summary, AnswersWithoutVerdictAreLeftOut) {
  const Summary summary = summarize(
      joined({verdicts_of("a", {Outcome::kUnsupported, Outcome::kCorrect, Outcome::kWrongOutput}),
              verdicts_of("b", {Outcome::kHack, Outcome::kNoKernel, Outcome::kLaunchError}),
              verdicts_of("c", {Outcome::kFaultyTask, Outcome::kFaultyTask, Outcome::kFaultyTask})}),
      kSummaryKs);
  EXPECT_EQ(summary.unjudged, 4u);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, (1.0 / 2 + 0) / 2, 1e-12);
  EXPECT_EQ(*summary.function_pass.at(1).first_k, 0) << "a's first answer has no verdict, b's is a hack";
  EXPECT_EQ(summary.function_pass.at(3).unbiased->value, 0) << "only b has three verdicts";
  EXPECT_EQ(*summary.function_pass.at(3).first_k, 0.5);
  EXPECT_EQ(summary.outcomes, (std::map<std::string, size_t>{{"unsupported", 1},
                                                             {"correct", 1},
                                                             {"wrong_output", 1},
                                                             {"hack", 1},
                                                             {"no_kernel", 1},
                                                             {"launch_error", 1},
                                                             {"faulty_task", 3}}));
}

TEST(Summary, FastSharesCountCorrectAnswersAboveTheFactor) {
  const Summary summary = summarize(joined({{timed("a", Outcome::kCorrect, 1.2)},
                                            {timed("b", Outcome::kCorrect, 0.7)},
                                            {timed("c", Outcome::kHack, 90)},
                                            verdicts_of("d", {Outcome::kCorrect})}),
                                    kSummaryKs);
  EXPECT_EQ(summary.fast,
            (std::map<double, double>{{0, 0.75}, {0.5, 0.5}, {0.8, 0.25}, {1, 0.25}, {1.5, 0}, {2, 0}}));
  EXPECT_TRUE(summarize(three_tasks(), kSummaryKs).fast.empty());
}

TEST(Summary, TokensAndSeconds) {
  std::vector<Verdict> verdicts = three_tasks();
  EXPECT_FALSE(summarize(verdicts, kSummaryKs).mean_tokens);
  verdicts[0].tokens = 100;
  verdicts[4].tokens = 301;
  for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i].seconds = static_cast<double>(i * i);
  const Summary summary = summarize(verdicts, kSummaryKs);
  EXPECT_EQ(summary.mean_tokens, 200.5);
  EXPECT_EQ(summary.median_seconds, 16);
}

TEST(Summary, NoVerdictsGiveAnEmptySummary) {
  EXPECT_EQ(
      base::to_json_line(json_of(summarize({}, kSummaryKs))),
      R"({"tasks":0,"answers":0,"unjudged":0,"compile_pass":{"1":{"unbiased":null,"first_k":null},)"
      R"("3":{"unbiased":null,"first_k":null}},"function_pass":{"1":{"unbiased":null,"first_k":null},)"
      R"("3":{"unbiased":null,"first_k":null}},"function_pass_of_all":{"1":{"unbiased":null,"first_k":null},)"
      R"("3":{"unbiased":null,"first_k":null}},"words":{},"fast":{},"mean_tokens":null,"median_seconds":0.0})");
}

TEST(Summary, JsonNamesEveryFigure) {
  const base::Json json = json_of(summarize(joined({{timed("a", Outcome::kCorrect, 1.2)}}), kSummaryKs));
  EXPECT_EQ(json["function_pass"]["1"]["unbiased"]["value"], 1.0);
  EXPECT_EQ(json["function_pass"]["1"]["unbiased"]["low"], 1.0);
  EXPECT_EQ(json["function_pass"]["1"]["first_k"], 1.0);
  EXPECT_EQ(json["fast"].dump(), R"({"0":1.0,"0.5":1.0,"0.8":1.0,"1":1.0,"1.5":0.0,"2":0.0})");
  EXPECT_EQ(json["words"].dump(), R"({"correct":1})");
}

// "+-+ -?" is two tasks: + correct, - wrong, ? without a verdict.
std::vector<Verdict> verdicts_marked(std::string_view marks) {
  std::vector<Verdict> verdicts;
  int task = 0;
  for (const char mark : marks) {
    if (mark == ' ') {
      ++task;
      continue;
    }
    Verdict& verdict = verdicts.emplace_back();
    verdict.task = std::to_string(task);
    verdict.outcome = mark == '+'   ? Outcome::kCorrect
                      : mark == '-' ? Outcome::kWrongOutput
                                    : Outcome::kUnsupported;
  }
  return verdicts;
}

TEST(FunctionGain, IsTheMeanOverTasksOfDifferencesOfShares) {
  const auto gain = function_gain(verdicts_marked("+- -- ++"), verdicts_marked("++ +- ++"));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->value, (0.5 + 0.5 + 0) / 3, 1e-12);
}

TEST(FunctionGain, LeavesOutTasksThatOneSideHasNoVerdictOn) {
  const auto gain = function_gain(verdicts_marked("- ? -"), verdicts_marked("+ +"));
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->value, 1);
  EXPECT_FALSE(function_gain(verdicts_marked("?"), verdicts_marked("+")));
}

TEST(FunctionGain, ManyTasksAllOneWayAreNoNoise) {
  std::string before;
  std::string after;
  for (int i = 0; i < 40; ++i) {
    before += i % 4 == 0 ? "+ " : "- ";
    after += i % 4 == 3 ? "- " : "+ ";
  }
  const auto gain = function_gain(verdicts_marked(before), verdicts_marked(after));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->value, 0.5, 1e-12);
  EXPECT_FALSE(is_within_noise(*gain));
  EXPECT_GT(gain->interval.low, 0.3);
  EXPECT_LT(gain->interval.high, 0.7);
}

TEST(FunctionGain, OneTaskMoreOfManyIsWithinTheNoise) {
  const auto gain = function_gain(verdicts_marked("+ - + - + - -"), verdicts_marked("- + + - - + +"));
  ASSERT_TRUE(gain);
  EXPECT_TRUE(is_within_noise(*gain));
}

}  // namespace
}  // namespace cuset::judge
