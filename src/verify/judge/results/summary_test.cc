#include "verify/judge/results/summary.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

std::vector<Verdict> verdicts_of(const std::string& task, const std::vector<Word>& words) {
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < words.size(); ++i) {
    Verdict& verdict = verdicts.emplace_back();
    verdict.task = task;
    verdict.sample = static_cast<uint32_t>(i);
    verdict.word = words[i];
  }
  return verdicts;
}

std::vector<Verdict> joined(std::initializer_list<std::vector<Verdict>> lists) {
  std::vector<Verdict> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Verdict timed(const std::string& task, Word word, double speedup) {
  Verdict verdict = verdicts_of(task, {word})[0];
  verdict.timing.emplace();
  verdict.timing->speedup = speedup;
  return verdict;
}

// 1, 2 and none of three samples correct; 2, 3 and none compile.
std::vector<Verdict> three_tasks() {
  return joined({verdicts_of("a", {Word::kCorrect, Word::kWrongOutput, Word::kCompileError}),
                 verdicts_of("b", {Word::kTimeout, Word::kCorrect, Word::kCorrect}),
                 verdicts_of("c", {Word::kNoCode, Word::kRejected, Word::kLinkError})});
}

TEST(Summary, PassRatesByHand) {
  const int ks[] = {1, 2, 3};
  const Summary summary = summarise(three_tasks(), ks);
  EXPECT_EQ(summary.tasks, 3u);
  EXPECT_EQ(summary.answers, 9u);
  EXPECT_EQ(summary.unjudged, 0u);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, (1.0 / 3 + 2.0 / 3 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.function_pass.at(2).unbiased->value, (2.0 / 3 + 1 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.function_pass.at(3).unbiased->value, 2.0 / 3, 1e-12);
  EXPECT_NEAR(summary.compile_pass.at(1).unbiased->value, (2.0 / 3 + 1 + 0) / 3, 1e-12);
  EXPECT_NEAR(summary.compile_pass.at(3).unbiased->value, 2.0 / 3, 1e-12);
}

TEST(Summary, IntervalsComeFromResamplingTasks) {
  const Interval interval = summarise(three_tasks(), kSummaryKs).function_pass.at(1).unbiased->interval;
  EXPECT_GE(interval.low, 0);
  EXPECT_LT(interval.low, 1.0 / 3);
  EXPECT_GT(interval.high, 1.0 / 3);
  EXPECT_LE(interval.high, 2.0 / 3);
}

TEST(Summary, CudabenchsRateLooksAtTheFirstSamples) {
  const int ks[] = {1, 2};
  std::vector<Verdict> shuffled = three_tasks();
  std::reverse(shuffled.begin(), shuffled.end());
  const Summary summary = summarise(shuffled, ks);
  EXPECT_NEAR(*summary.function_pass.at(1).first_k, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*summary.function_pass.at(2).first_k, 2.0 / 3, 1e-12);
}

TEST(Summary, TooFewAnswersGiveNoRate) {
  const Summary summary =
      summarise(joined({verdicts_of("a", {Word::kCorrect, Word::kCorrect, Word::kCorrect}),
                        verdicts_of("b", {Word::kCrash})}),
                kSummaryKs);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, 0.5, 1e-12);
  EXPECT_FALSE(summary.function_pass.at(3).unbiased);
  EXPECT_FALSE(summary.function_pass.at(3).first_k);
}

TEST(Summary, AnswersWithoutVerdictAreLeftOut) {
  const Summary summary =
      summarise(joined({verdicts_of("a", {Word::kUnsupported, Word::kCorrect, Word::kWrongOutput}),
                        verdicts_of("b", {Word::kHack, Word::kNoKernel, Word::kLaunchError}),
                        verdicts_of("c", {Word::kFaultyTask, Word::kFaultyTask, Word::kFaultyTask})}),
                kSummaryKs);
  EXPECT_EQ(summary.unjudged, 4u);
  EXPECT_NEAR(summary.function_pass.at(1).unbiased->value, (1.0 / 2 + 0) / 2, 1e-12);
  EXPECT_EQ(*summary.function_pass.at(1).first_k, 0) << "a's first answer has no verdict, b's is a hack";
  EXPECT_EQ(summary.function_pass.at(3).unbiased->value, 0) << "only b has three verdicts";
  EXPECT_EQ(*summary.function_pass.at(3).first_k, 0.5);
  EXPECT_EQ(summary.words, (std::map<std::string, size_t>{{"unsupported", 1},
                                                          {"correct", 1},
                                                          {"wrong_output", 1},
                                                          {"hack", 1},
                                                          {"no_kernel", 1},
                                                          {"launch_error", 1},
                                                          {"faulty_task", 3}}));
}

TEST(Summary, FastSharesCountCorrectAnswersAboveTheFactor) {
  const Summary summary = summarise(joined({{timed("a", Word::kCorrect, 1.2)},
                                            {timed("b", Word::kCorrect, 0.7)},
                                            {timed("c", Word::kHack, 90)},
                                            verdicts_of("d", {Word::kCorrect})}),
                                    kSummaryKs);
  EXPECT_EQ(summary.fast,
            (std::map<double, double>{{0, 0.75}, {0.5, 0.5}, {0.8, 0.25}, {1, 0.25}, {1.5, 0}, {2, 0}}));
  EXPECT_TRUE(summarise(three_tasks(), kSummaryKs).fast.empty());
}

TEST(Summary, TokensAndSeconds) {
  std::vector<Verdict> verdicts = three_tasks();
  EXPECT_FALSE(summarise(verdicts, kSummaryKs).mean_tokens);
  verdicts[0].tokens = 100;
  verdicts[4].tokens = 301;
  for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i].seconds = static_cast<double>(i * i);
  const Summary summary = summarise(verdicts, kSummaryKs);
  EXPECT_EQ(summary.mean_tokens, 200.5);
  EXPECT_EQ(summary.median_seconds, 16);
}

TEST(Summary, NoVerdictsGiveAnEmptySummary) {
  EXPECT_EQ(
      to_json_line(json_of(summarise({}, kSummaryKs))),
      R"({"tasks":0,"answers":0,"unjudged":0,"compile_pass":{"1":{"unbiased":null,"first_k":null},)"
      R"("3":{"unbiased":null,"first_k":null}},"function_pass":{"1":{"unbiased":null,"first_k":null},)"
      R"("3":{"unbiased":null,"first_k":null}},"words":{},"fast":{},"mean_tokens":null,"median_seconds":0.0})");
}

TEST(Summary, JsonNamesEveryFigure) {
  const Json json = json_of(summarise(joined({{timed("a", Word::kCorrect, 1.2)}}), kSummaryKs));
  EXPECT_EQ(json["function_pass"]["1"]["unbiased"]["value"], 1.0);
  EXPECT_EQ(json["function_pass"]["1"]["unbiased"]["low"], 1.0);
  EXPECT_EQ(json["function_pass"]["1"]["first_k"], 1.0);
  EXPECT_EQ(json["fast"].dump(), R"({"0":1.0,"0.5":1.0,"0.8":1.0,"1":1.0,"1.5":0.0,"2":0.0})");
  EXPECT_EQ(json["words"].dump(), R"({"correct":1})");
}

}  // namespace
}  // namespace cuset
