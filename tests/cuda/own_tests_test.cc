// Answers to tasks in compute-eval's form, whose tests run in one process with the answer's host code: those that compute
// on the host (testdata/red_team/own_tests/attacks) must not be correct, those whose kernels do the work
// (testdata/red_team/own_tests/honest) must be. red_team.h says how they are made.
//
// CUSET_RED_TEAM=all judges every template on all of its tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/files/file.h"
#include "benchmarks/own_tests/test_judge.h"
#include "red_team.h"
#include "support/test_executor.h"

namespace cuset::tests {

// GoogleTest shows a parameter by this.
void PrintTo(const RedTeamAnswer& answer, std::ostream* out) { *out << answer.name; }

namespace {

constexpr const char* kFolder = "testdata/red_team/own_tests";

std::vector<RedTeamAnswer> answers_of(const std::string& kind, size_t usual) {
  const char* chosen = std::getenv("CUSET_RED_TEAM");
  const bool all = chosen != nullptr && std::string_view(chosen) == "all";
  return red_team_answers(kFolder, kind, {"cpu", true}, all ? 100 : usual);
}

tasks::Task task_of(const std::string& name) {
  const std::filesystem::path tests = std::filesystem::path(kFolder) / "tests";
  tasks::Task task;
  task.id = name;
  task.kind = tasks::AnswerKind::kTests;
  task.tests.answer_file = "solution.cu";
  task.tests.sources = {"solution.cu", "test/main.cu"};
  task.tests.include_folders = {"include"};
  task.tests.files = {{"include/solve.h", base::read_file(tests / "solve.h")},
                      {"test/check.h", base::read_file(tests / "check.h")},
                      {"test/main.cu", base::read_file(tests / (name + ".cu"))}};
  task.time_limit = 20;
  return task;
}

class AnswersToTests : public WithCpuExecutor<testing::TestWithParam<RedTeamAnswer>> {
 protected:
  judge::Verdict judge() {
    return benchmarks::judge_tests(*executor_, {}, task_of(GetParam().task), GetParam().source);
  }
};

class PretendingAnswers : public AnswersToTests {};

TEST_P(PretendingAnswers, AreRefused) {
  const judge::Verdict verdict = judge();
  const std::string outcome(judge::name_of(verdict.outcome));
  const std::vector<std::string>& named = GetParam().verdicts;
  const std::vector<std::string> wanted =
      named.empty() ? std::vector<std::string>{"host_work", "rejected", "hack", "link_error"} : named;
  EXPECT_NE(std::find(wanted.begin(), wanted.end(), outcome), wanted.end())
      << outcome << ": " << verdict.explanation << "\n"
      << verdict.compiler_messages;
}

INSTANTIATE_TEST_SUITE_P(Red, PretendingAnswers, testing::ValuesIn(answers_of("attacks", 2)),
                         [](const auto& test) { return test.param.name; });

class HonestAnswersToTests : public AnswersToTests {};

TEST_P(HonestAnswersToTests, StayCorrect) {
  const judge::Verdict verdict = judge();
  EXPECT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation << "\n"
                                                        << verdict.compiler_messages;
}

INSTANTIATE_TEST_SUITE_P(Red, HonestAnswersToTests, testing::ValuesIn(answers_of("honest", 1)),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace cuset::tests
