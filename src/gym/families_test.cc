// What every family of the table must hold, checked on a few drafts of each.
#include <gtest/gtest.h>

#include <cstdlib>

#include "gym/gym_task.h"
#include "gym/program.h"
#include "verify/tasks/inputs.h"
#include "verify/tasks/oracles.h"

namespace cuset {
namespace {

class EveryFamily : public testing::TestWithParam<GymFamily> {
 protected:
  static constexpr uint64_t kDraws = 3;

  static GymTask task(uint64_t number) {
    const RandomStream stream = RandomStream(7, GetParam().name).child(number);
    RandomStream draws = stream.child("draft");
    return make_gym_task(GetParam(), GetParam().draw(draws), stream);
  }
};

TEST_P(EveryFamily, TasksKeepTheirContentAsJson) {
  for (uint64_t number = 0; number < kDraws; ++number) {
    Task made = task(number).task;
    made.id = "gym/" + made.family;
    const std::string line = to_json_line(json_of(made));
    EXPECT_EQ(to_json_line(json_of(task_from_json(parse_json(line, "test"), "test"))), line);
  }
}

TEST_P(EveryFamily, SameStreamGivesTheSameTask) {
  EXPECT_EQ(to_json_line(json_of(task(1).task)), to_json_line(json_of(task(1).task)));
}

TEST_P(EveryFamily, PromptsAndProgramsAreSpelledOut) {
  for (uint64_t number = 0; number < kDraws; ++number) {
    const GymTask made = task(number);
    for (const Prompt& prompt : made.task.prompts)
      EXPECT_EQ(prompt.text.find('$'), std::string::npos) << prompt.text;
    for (const GymSolution& solution : made.draft.solutions) {
      const GymProgram program = write_program(made, solution, RandomStream(number, solution.style));
      EXPECT_EQ(program.text.find('$'), std::string::npos) << program.text;
      for (const TaskOutput& output : made.task.outputs)
        EXPECT_NE(program.text.find("\"data/" + output.name + ".bin\""), std::string::npos) << program.text;
    }
  }
}

TEST_P(EveryFamily, OracleGivesTheDeclaredShapes) {
  const Task made = task(0).task;
  const std::vector<Array> inputs = make_inputs(made, Variation::kPlain, RandomStream(3, "inputs"));
  const std::vector<Array> outputs = oracle_named(made.oracle.native, made)(made, inputs);
  ASSERT_EQ(outputs.size(), made.outputs.size());
  for (size_t k = 0; k < outputs.size(); ++k) EXPECT_EQ(outputs[k].count(), count_of(made.outputs[k].shape));
}

INSTANTIATE_TEST_SUITE_P(Gym, EveryFamily, testing::ValuesIn(gym_families()),
                         [](const testing::TestParamInfo<GymFamily>& family) { return family.param.name; });

}  // namespace
}  // namespace cuset
