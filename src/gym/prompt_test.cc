#include "gym/prompt.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "gym/task_source.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

TEST(Prompt, NamesEveryFileShapeAndType) {
  const TaskSource source({6, GymSplit::kTrain, {}});
  for (uint64_t i = 0; i < 60; ++i) {
    const tasks::Task task = source.task(i).task;
    ASSERT_EQ(task.prompts.size(), 3u);
    for (const tasks::Prompt& prompt : task.prompts) {
      for (const tasks::TaskInput& input : task.inputs) {
        EXPECT_NE(prompt.text.find("data/" + input.name + ".bin"), std::string::npos) << prompt.text;
        EXPECT_NE(prompt.text.find(tasks::name_of(input.type)), std::string::npos) << prompt.text;
        for (const int64_t side : input.shape)
          EXPECT_NE(prompt.text.find(std::to_string(side)), std::string::npos) << prompt.text;
      }
      for (const tasks::TaskOutput& output : task.outputs)
        EXPECT_NE(prompt.text.find("data/" + output.name + ".bin"), std::string::npos) << prompt.text;
    }
  }
}

TEST(Prompt, SaysEveryScalar) {
  const TaskSource source({7, GymSplit::kTrain, {}});
  for (uint64_t i = 0; i < 60; ++i) {
    const GymTask task = source.task(i);
    for (const GymScalar& scalar : task.draft.scalars)
      for (const tasks::Prompt& prompt : task.task.prompts)
        EXPECT_NE(prompt.text.find(decimal(scalar.value)), std::string::npos)
            << scalar.key << " in " << prompt.text;
  }
}

TEST(Prompt, NumbersAreAsPeopleWriteThem) {
  const std::regex long_number("[0-9]\\.[0-9]{9}");
  for (const GymFamily& family : gym_families()) {
    const TaskSource source({9, GymSplit::kRaw, {family.name}});
    for (uint64_t i = 0; i < 8; ++i)
      for (const tasks::Prompt& prompt : source.task(i).task.prompts)
        EXPECT_FALSE(std::regex_search(prompt.text, long_number)) << prompt.text;
  }
}

TEST(Prompt, SpellingIsAmerican) {
  const std::regex british("isation|alis(e|ing)|neighbour|colour|centre|antis(e|ing)");
  for (const GymFamily& family : gym_families()) {
    const GymTask task = TaskSource({10, GymSplit::kRaw, {family.name}}).task(0);
    for (const tasks::Prompt& prompt : task.task.prompts)
      EXPECT_FALSE(std::regex_search(prompt.text, british)) << prompt.text;
    for (const GymSolution& solution : task.draft.solutions)
      EXPECT_FALSE(std::regex_search(solution.reasoning.mapping + solution.reasoning.memory, british))
          << family.name << " " << solution.style;
  }
}

TEST(Prompt, WordingsDiffer) {
  const TaskSource source({8, GymSplit::kTrain, {"saxpy"}});
  std::set<std::string> openings;
  for (uint64_t i = 0; i < 200; ++i) {
    const std::string text = source.task(i).task.prompts[2].text;
    openings.insert(text.substr(0, text.find("data/")));
  }
  EXPECT_GT(openings.size(), 40u);
}

}  // namespace
}  // namespace cuset::gym
