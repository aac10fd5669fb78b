#include "cli/commands/verify/verify_table.h"

#include <gtest/gtest.h>

namespace cuset::cli {
namespace {

judge::Verdict verdict_of(const std::string& task, uint32_t sample, judge::Outcome outcome,
                          const std::string& explanation = "") {
  judge::Verdict verdict;
  verdict.task = task;
  verdict.sample = sample;
  verdict.outcome = outcome;
  verdict.reward.compiled = judge::compiled(outcome) ? 1 : 0;
  verdict.explanation = explanation;
  verdict.seconds = 1.5;
  return verdict;
}

std::string rendered(const std::vector<judge::Verdict>& verdicts, size_t columns = 160) {
  return render_verification(judge::summarize(verdicts, judge::kSummaryKs), verdicts, columns);
}

TEST(VerifyTable, RatesWordsAndExamples) {
  std::vector<judge::Verdict> verdicts = {
      verdict_of("add", 0, judge::Outcome::kCorrect),
      verdict_of("add", 1, judge::Outcome::kWrongOutput, "y[3] is 1, wanted 2"),
      verdict_of("add", 2, judge::Outcome::kWrongOutput, "y[4] is 1, wanted 2"),
      verdict_of("scan", 0, judge::Outcome::kCompileError, "oops.cu:3: error: \x1b[31mwhat\n"),
      verdict_of("scan", 1, judge::Outcome::kCorrect),
      verdict_of("scan", 2, judge::Outcome::kCorrect)};
  verdicts[0].tokens = 120;
  EXPECT_EQ(rendered(verdicts),
            R"(6 answers to 2 tasks

                       pass@1 (95 %)   first 1             pass@3 (95 %)   first 3
compile       83.3 % (66.7 to 100.0)    50.0 %  100.0 % (100.0 to 100.0)   100.0 %
function       50.0 % (33.3 to 66.7)    50.0 %  100.0 % (100.0 to 100.0)   100.0 %

correct             3   50.0 %
wrong_output        2   33.3 %  add#1: y[3] is 1, wanted 2
compile_error       1   16.7 %  scan#0: oops.cu:3: error: ?[31mwhat?

tokens of an answer: 120 on average
one answer: 1.5 s (median)
)");
}

TEST(VerifyTable, WhatCannotBeToldIsADash) {
  const std::string table = rendered({verdict_of("add", 0, judge::Outcome::kUnsupported, "tensor cores")});
  EXPECT_NE(table.find("1 answer to 1 task; 1 (1 unsupported) without a verdict\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("unsupported         1  100.0 %  add#0: tensor cores\n"), std::string::npos) << table;
  EXPECT_NE(table.find("function                           -         -"), std::string::npos) << table;
}

TEST(VerifyTable, AnswersWithoutAVerdictAreCountedAsWrongBesideTheOtherRates) {
  const std::string table = rendered({verdict_of("add", 0, judge::Outcome::kCorrect),
                                      verdict_of("add", 1, judge::Outcome::kUnsupported, "tensor cores"),
                                      verdict_of("add", 2, judge::Outcome::kUnsupported, "tensor cores"),
                                      verdict_of("scan", 0, judge::Outcome::kFaultyTask, "no oracle")});
  EXPECT_NE(table.find("4 answers to 2 tasks; 3 (1 faulty_task, 2 unsupported) without a verdict\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("function    100.0 % (100.0 to 100.0)"), std::string::npos) << table;
  EXPECT_NE(table.find("of all          16.7 % (0.0 to 33.3)"), std::string::npos) << table;
}

TEST(VerifyTable, SpeedOverTheReference) {
  judge::Verdict fast = verdict_of("add", 0, judge::Outcome::kCorrect);
  fast.timing.emplace();
  fast.timing->speedup = 1.2;
  EXPECT_NE(rendered({fast}).find(
                "correct and more than p times as fast as the reference:  p = 0: 100.0 %  p = 0.5: "
                "100.0 %  p = 0.8: 100.0 %  p = 1: 100.0 %  p = 1.5: 0.0 %  p = 2: 0.0 %\n"),
            std::string::npos)
      << rendered({fast});
}

TEST(VerifyTable, ExplanationsAreCutToTheWidth) {
  const std::string table =
      rendered({verdict_of("add", 0, judge::Outcome::kCrash, std::string(300, 'x'))}, 60);
  EXPECT_NE(table.find("crash               1  100.0 %  add#0: xxxxxxxxxxxxxxxxxxxxx"), std::string::npos)
      << table;
  EXPECT_EQ(table.find(std::string(30, 'x')), std::string::npos) << table;
}

}  // namespace
}  // namespace cuset::cli
