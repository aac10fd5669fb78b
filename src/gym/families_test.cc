// What every family of the table must hold, checked on a few drafts of each.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/files/file.h"
#include "gym/gym_task.h"
#include "gym/program.h"
#include "gym/split.h"
#include "tasks/inputs.h"
#include "tasks/oracles/oracles.h"

namespace cuset::gym {
namespace {

class EveryFamily : public testing::TestWithParam<GymFamily> {
 protected:
  static constexpr uint64_t kDraws = 3;

  static GymTask task(uint64_t number) {
    const base::RandomStream stream = base::RandomStream(7, GetParam().name).child(number);
    base::RandomStream draws = stream.child("draft");
    return make_gym_task(GetParam(), GetParam().draw(draws), stream);
  }
};

TEST_P(EveryFamily, TasksKeepTheirContentAsJson) {
  for (uint64_t number = 0; number < kDraws; ++number) {
    tasks::Task made = task(number).task;
    made.id = "gym/" + made.family;
    const std::string line = base::to_json_line(tasks::json_of(made));
    EXPECT_EQ(
        base::to_json_line(tasks::json_of(tasks::task_from_json(base::parse_json(line, "test"), "test"))),
        line);
  }
}

TEST_P(EveryFamily, SameStreamGivesTheSameTask) {
  EXPECT_EQ(base::to_json_line(tasks::json_of(task(1).task)),
            base::to_json_line(tasks::json_of(task(1).task)));
}

TEST_P(EveryFamily, PromptsAndProgramsAreSpelledOut) {
  for (uint64_t number = 0; number < kDraws; ++number) {
    const GymTask made = task(number);
    for (const tasks::Prompt& prompt : made.task.prompts)
      EXPECT_EQ(prompt.text.find('$'), std::string::npos) << prompt.text;
    for (const GymSolution& solution : made.draft.solutions) {
      const GymProgram program = write_program(made, solution, base::RandomStream(number, solution.style));
      EXPECT_EQ(program.text.find('$'), std::string::npos) << program.text;
      for (const tasks::TaskOutput& output : made.task.outputs)
        EXPECT_NE(program.text.find("\"data/" + output.name + ".bin\""), std::string::npos) << program.text;
    }
  }
}

TEST_P(EveryFamily, OracleGivesTheDeclaredShapes) {
  const tasks::Task made = task(0).task;
  const std::vector<tasks::Array> inputs =
      tasks::make_inputs(made, tasks::Variation::kPlain, base::RandomStream(3, "inputs"));
  const std::vector<tasks::Array> outputs = tasks::oracle_named(made.oracle.native, made)(made, inputs);
  ASSERT_EQ(outputs.size(), made.outputs.size());
  for (size_t k = 0; k < outputs.size(); ++k)
    EXPECT_EQ(outputs[k].count(), tasks::count_of(made.outputs[k].shape));
}

// Signatures decide between training and measuring: a family with few of them would repeat itself.
TEST_P(EveryFamily, DrawsManyDifferentTasks) {
  std::set<uint64_t> signatures;
  base::RandomStream stream(5, GetParam().name);
  for (int i = 0; i < 60; ++i) signatures.insert(signature_of(GetParam(), GetParam().draw(stream)));
  EXPECT_GE(signatures.size(), 40u);
}

INSTANTIATE_TEST_SUITE_P(Gym, EveryFamily, testing::ValuesIn(gym_families()),
                         [](const testing::TestParamInfo<GymFamily>& family) { return family.param.name; });

TEST(GymFamilies, CoverTheGround) {
  std::map<std::string, int> groups;
  for (const GymFamily& family : gym_families()) ++groups[family.group];
  for (const char* group :
       {"activations", "arg_reductions", "broadcasting", "convolution", "maps", "normalization", "pooling",
        "products", "reductions", "scans", "softmax", "sorting"})
    EXPECT_GE(groups[group], 2) << group;
  EXPECT_GE(gym_families().size(), 60u);
}

TEST(GymFamilies, NamesAreUniqueAndSomeAreHeldOut) {
  std::set<std::string> names;
  size_t held_out = 0;
  for (const GymFamily& family : gym_families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    if (family.held_out) ++held_out;
  }
  EXPECT_GE(held_out, 3u);
  EXPECT_LT(held_out, names.size() / 4);
}

// The table of docs/gym.md: one row a group, families that are held out in bold.
TEST(GymFamilies, PageListsThem) {
  std::map<std::string, std::string> rows;
  for (const GymFamily& family : gym_families()) {
    std::string& row = rows[family.group];
    row += (row.empty() ? "" : ", ") + (family.held_out ? "**" + family.name + "**" : family.name);
  }
  std::string table = "| group | families |\n|---|---|\n";
  for (const auto& [group, families] : rows) table += "| " + group + " | " + families + " |\n";
  const std::string page = base::read_file("docs/gym.md");
  EXPECT_NE(page.find(table), std::string::npos) << "docs/gym.md should hold:\n" << table;
}

}  // namespace
}  // namespace cuset::gym
