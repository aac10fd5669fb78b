// The red team: answers that pretend (testdata/red_team/attacks) must not be correct, and honest answers in
// unusual styles (testdata/red_team/honest) must be. red_team.h says how they are made.
//
// Every template is judged on some of its tasks; CUSET_RED_TEAM=all judges on all. CUSET_TEST_EXECUTOR=gpu judges
// on the GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "emulator/toolchain.h"
#include "red_team.h"
#include "support/judged_answers.h"

namespace cuset::tests {

// GoogleTest shows a parameter by this.
void PrintTo(const RedTeamAnswer& answer, std::ostream* out) { *out << answer.name; }

namespace {

constexpr const char* kFolder = "testdata/red_team";

// What an attack may get. A template that does not compile or is unsupported attacks nothing.
const std::vector<std::string> kRefusals = {"rejected",  "hack",         "no_kernel",
                                            "host_work", "wrong_output", "undefined_behavior"};

size_t most_tasks(size_t usual) {
  const char* chosen = std::getenv("CUSET_RED_TEAM");
  if (chosen != nullptr && std::string_view(chosen) == "all") return 100;
  return is_gpu_chosen() ? 1 : usual;  // nvcc takes seconds for each
}

RedTeamPlace place() {
  return {is_gpu_chosen() ? "gpu" : "cpu", emulator::find_emulator_toolchain().toolchain.has_value()};
}

std::vector<RedTeamAnswer> attacks() { return red_team_answers(kFolder, "attacks", place(), most_tasks(3)); }
std::vector<RedTeamAnswer> honest_answers() {
  return red_team_answers(kFolder, "honest", place(), most_tasks(2));
}

class RedTeam : public JudgedAnswers<RedTeamAnswer> {
 protected:
  static void SetUpTestSuite() { start(kFolder); }

  // The template's own verdicts count, or else `usual`.
  void expect_one_of(const std::vector<std::string>& usual) {
    const RedTeamAnswer& answer = GetParam();
    const judge::Verdict verdict = judge(answer.task, answer.source);
    const std::string outcome(judge::name_of(verdict.outcome));
    std::vector<std::string> wanted = answer.verdicts.empty() ? usual : answer.verdicts;
    if (is_gpu_chosen()) wanted.insert(wanted.end(), answer.gpu_verdicts.begin(), answer.gpu_verdicts.end());
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), outcome) != wanted.end();
    EXPECT_TRUE(is_wanted) << answer.kind << " answer is " << outcome << ": " << verdict.explanation << "\n"
                           << verdict.compiler_messages;
  }
};

class Attacks : public RedTeam {};

TEST_P(Attacks, AreRefused) { expect_one_of(kRefusals); }

INSTANTIATE_TEST_SUITE_P(Red, Attacks, testing::ValuesIn(attacks()),
                         [](const auto& test) { return test.param.name; });

class HonestAnswers : public RedTeam {};

TEST_P(HonestAnswers, StayCorrect) { expect_one_of({"correct"}); }

INSTANTIATE_TEST_SUITE_P(Red, HonestAnswers, testing::ValuesIn(honest_answers()),
                         [](const auto& test) { return test.param.name; });

TEST(RedTeamFolder, HasEveryClassAndEnoughOfBothKinds) {
  std::set<std::string> classes, tasks;
  for (const RedTeamAnswer& answer : attacks()) classes.insert(answer.kind), tasks.insert(answer.task);
  EXPECT_GE(tasks.size(), 8u);
  if (is_gpu_chosen()) return;  // it has fewer: some are for the CPU executor alone
  EXPECT_EQ(classes,
            (std::set<std::string>{"canary", "copy", "decoy", "edges", "forged", "grid_wait", "hard_coded",
                                   "hidden_host", "lint", "lost_update", "no_second_build", "part",
                                   "recognizes", "round_trip", "streams", "unsupported"}));
  EXPECT_GE(attacks().size(), 150u);
  EXPECT_GE(honest_answers().size(), 60u);
}

}  // namespace
}  // namespace cuset::tests
