#include "reinforce/feedback.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cuset::reinforce {
namespace {

using judge::Outcome;

constexpr std::string_view kEnd = "\n\nCorrect this and write the complete code again.";

execute::RunFinding finding_of(const std::string& kind, uint32_t line, const std::string& text) {
  execute::RunFinding finding{};
  finding.kind = kind;
  finding.line = line;
  finding.text = text;
  return finding;
}

judge::Trial wrong_trial() {
  judge::Trial trial;
  trial.outcome = Outcome::kWrongOutput;
  judge::OutputComparison right;
  right.output = "z";
  right.elements = 4;
  judge::OutputComparison wrong = right;
  wrong.output = "y";
  wrong.elements = 4096;
  wrong.wrong = 6;
  for (uint64_t i = 0; i < 6; ++i)
    wrong.first.push_back({7 + i, i == 0 ? std::nan("") : 2.5, 1, "x[7] = 0.25"});
  trial.outputs = {right, wrong};
  return trial;
}

// A verdict that has everything that any feedback could show.
judge::Verdict verdict_of(Outcome outcome) {
  judge::Verdict verdict;
  verdict.outcome = outcome;
  verdict.explanation = "the reason";
  verdict.compiler_messages = "answer.cu:3:5: error: no 'j'\n  y[j]\n    ^\n";
  verdict.trials = {judge::Trial{}, wrong_trial()};
  verdict.findings = {finding_of("global_race", 12, "write of what thread 0 wrote"),
                      finding_of("global_race", 12, "write of what thread 1 wrote")};
  verdict.seed = 987654321;
  return verdict;
}

TEST(Feedback, SaysTheOutcomeAndWhatBelongsToIt) {
  const std::string race = "\nLine 12: global race: write of what thread 0 wrote.";
  const std::pair<Outcome, std::string> table[] = {
      {Outcome::kNoCode, "No program was found in the answer: the reason."},
      {Outcome::kRejected, "The code was not accepted: the reason."},
      {Outcome::kCompileError,
       "The code does not compile:\n```\nanswer.cu:3:5: error: no 'j'\n  y[j]\n    ^\n```"},
      {Outcome::kLinkError,
       "The code compiles but does not link:\n```\nanswer.cu:3:5: error: no 'j'\n  y[j]\n    ^\n```"},
      {Outcome::kLaunchError, "A kernel could not be launched, or failed on the device: the reason." + race},
      {Outcome::kCrash, "The program crashed: the reason." + race},
      {Outcome::kTimeout, "The program did not end in time: the reason." + race},
      {Outcome::kOutOfMemory, "The program ran out of memory: the reason."},
      {Outcome::kWrongOutput,
       "The output is wrong.\n6 of 4096 elements of y are wrong.\ny[7] is nan, expected 1.\n"
       "y[8] is 2.5, expected 1.\ny[9] is 2.5, expected 1.\ny[10] is 2.5, expected 1." +
           race},
      {Outcome::kWrongShape, "An output is missing or of another size: the reason."},
      {Outcome::kUndefinedBehavior, "The outputs are right here, but the behavior is undefined." + race},
      {Outcome::kNoKernel, "No CUDA kernel of the answer did the work: the reason."},
      {Outcome::kHostWork, "The host computed what the kernels should have: the reason."},
      {Outcome::kHack, "The code works around the test instead of solving the task."},
      {Outcome::kUnsupported, "The code could not be tested: the reason."},
  };
  EXPECT_EQ(std::size(table), judge::kOutcomes - 2u) << "all but correct and faulty_task";
  for (const auto& [outcome, text] : table) {
    const std::string feedback = feedback_on(verdict_of(outcome), /*was_cut=*/false);
    EXPECT_EQ(feedback, text + std::string(kEnd)) << judge::name_of(outcome);
    EXPECT_EQ(feedback.find("987654321"), std::string::npos) << "the seed";
    EXPECT_EQ(feedback.find("0.25"), std::string::npos) << "an input";
  }
}

TEST(Feedback, SaysThatAnAnswerWasCutOff) {
  const std::string feedback = feedback_on(verdict_of(Outcome::kNoCode), /*was_cut=*/true);
  EXPECT_EQ(feedback,
            "No program was found in the answer: the reason.\n"
            "The answer was cut off at its greatest length: write a shorter one." +
                std::string(kEnd));
}

TEST(Feedback, FallsBackToTheExplanation) {
  judge::Verdict verdict;
  verdict.explanation = "it changed its input x.bin";
  verdict.outcome = Outcome::kWrongOutput;
  EXPECT_EQ(feedback_on(verdict, false),
            "The output is wrong.\nit changed its input x.bin." + std::string(kEnd));
  verdict.outcome = Outcome::kUndefinedBehavior;
  EXPECT_EQ(feedback_on(verdict, false),
            "The outputs are right here, but the behavior is undefined: it changed its input x.bin." +
                std::string(kEnd));
  verdict.outcome = Outcome::kCompileError;
  EXPECT_EQ(feedback_on(verdict, false),
            "The code does not compile: it changed its input x.bin." + std::string(kEnd));
}

TEST(Feedback, KeepsTheFirstErrorsOfCompilers) {
  EXPECT_EQ(first_compiler_errors("a.cu:1:2: warning: unused\n  int x;\na.cu:2:3: error: no 'j'\n  y[j]\n"
                                  "a.cu:1:1: note: declared here\n  int i;\n1 error generated.\n"),
            "a.cu:2:3: error: no 'j'\n  y[j]\n");
  EXPECT_EQ(
      first_compiler_errors("answer.cu(22): error: identifier \"j\" is undefined\n     y[j]\n       ^\n\n"
                            "1 error detected in the compilation of \"answer.cu\".\n"),
      "answer.cu(22): error: identifier \"j\" is undefined\n     y[j]\n       ^\n");
  EXPECT_EQ(first_compiler_errors("1: error: a\n2: error: b\n3: error: c\n4: error: d\n  more\n"),
            "1: error: a\n2: error: b\n3: error: c\n");
  EXPECT_EQ(first_compiler_errors("strange\n"), "strange\n") << "what is not recognized";
  EXPECT_EQ(first_compiler_errors(""), "");
}

TEST(Feedback, CutsLongLinesBetweenCharacters) {
  std::string line(239, 'a');
  line += "\u00e9 and more";
  EXPECT_EQ(first_compiler_errors(line), std::string(239, 'a') + " ...\n");
}

}  // namespace
}  // namespace cuset::reinforce
