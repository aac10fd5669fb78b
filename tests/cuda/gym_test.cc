// Every family's solutions through the CPU executor and the judge: right programs pass, mutants of them fail.
// Usually one solution of each family is judged, and mutants of every eighth family. GYM_DRAWS=5 judges all
// solutions of five tasks, GYM_FAMILY=softmax_rows all solutions of one family, and mutants; GYM_SHOW=1
// prints the programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "gym/noise.h"
#include "gym/program.h"
#include "judge/audit/mutants.h"
#include "judge/judge.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

constexpr size_t kMutants = 4;  // of one program

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

std::vector<gym::GymFamily> wanted_families() {
  const std::string wanted = environment("GYM_FAMILY", "");
  std::vector<gym::GymFamily> families;
  for (const gym::GymFamily& family : gym::gym_families())
    if (wanted.empty() || family.name == wanted) families.push_back(family);
  return families;
}

// Whether everything is judged, not a part that takes a minute or two.
bool is_thorough() { return !environment("GYM_FAMILY", "").empty() || !environment("GYM_DRAWS", "").empty(); }

class GymFamilies : public WithCpuExecutor<testing::TestWithParam<gym::GymFamily>> {
 protected:
  void prepare() override { judge_ = std::make_unique<judge::Judge>(*executor_, judge::JudgeSettings()); }

  static gym::GymTask task(uint64_t number) {
    const base::RandomStream stream = base::RandomStream(11, GetParam().name).child(number);
    base::RandomStream draws = stream.child("draft");
    gym::GymTask made = gym::make_gym_task(GetParam(), GetParam().draw(draws), stream);
    made.task.id = "gym/" + GetParam().name + "/" + std::to_string(number);
    return made;
  }

  static std::string program(const gym::GymTask& made, const gym::GymSolution& solution, uint64_t number) {
    return gym::write_program(made, solution, base::RandomStream(number, solution.style)).text;
  }

  std::unique_ptr<judge::Judge> judge_;
};

TEST_P(GymFamilies, EverySolutionIsCorrect) {
  const uint64_t draws = std::stoull(environment("GYM_DRAWS", "1"));
  for (uint64_t number = 0; number < draws; ++number) {
    const gym::GymTask made = task(number);
    for (size_t k = 0; k < made.draft.solutions.size(); ++k) {
      if (!is_thorough() && k != made.wished) continue;
      const gym::GymSolution& solution = made.draft.solutions[k];
      const std::string text = program(made, solution, number);
      if (environment("GYM_SHOW", "") == "1") std::cout << text << "\n";
      const judge::Verdict verdict = judge_->judge(made.task, text);
      EXPECT_EQ(judge::name_of(verdict.outcome), "correct")
          << solution.style << " of " << made.task.id << ": " << base::to_json_line(judge::json_of(verdict))
          << "\n"
          << text;
    }
    judge_->forget(made.task);
  }
}

TEST_P(GymFamilies, ClutterAroundAProgramLeavesItCorrect) {
  if (!is_thorough() && base::RandomStream(2, GetParam().name).below(12) != 0) return;
  const gym::GymTask made = task(0);
  const base::RandomStream stream(3, GetParam().name);
  const std::string text =
      gym::with_noise(gym::write_program(made, made.draft.solutions[0], stream), gym::Noise::kAround, stream);
  const judge::Verdict verdict = judge_->judge(made.task, text);
  EXPECT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation << "\n" << text;
}

// Of the other mutants not each is wrong: a guard may guard nothing.
TEST_P(GymFamilies, CertainMutantsFail) {
  if (!is_thorough() && base::RandomStream(1, GetParam().name).below(8) != 0) return;
  const gym::GymTask made = task(0);
  size_t tried = 0;
  for (const judge::Mutant& mutant : judge::mutants_of(program(made, made.draft.solutions[0], 0))) {
    if (!mutant.certain || tried == kMutants) continue;
    ++tried;
    const judge::Verdict verdict = judge_->judge(made.task, mutant.source);
    EXPECT_NE(judge::name_of(verdict.outcome), "correct") << mutant.kind << ": " << mutant.description;
    EXPECT_NE(judge::name_of(verdict.outcome), "compile_error") << mutant.kind << ": " << mutant.description;
  }
  EXPECT_GT(tried, 0u);
}

INSTANTIATE_TEST_SUITE_P(Gym, GymFamilies, testing::ValuesIn(wanted_families()),
                         [](const testing::TestParamInfo<gym::GymFamily>& family) {
                           return family.param.name;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GymFamilies);

}  // namespace
}  // namespace cuset::tests
