#include "gym/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cuda_source/regions.h"
#include "gym/task_source.h"

namespace cuset::gym {
namespace {

GymTask some_task(uint64_t number) { return TaskSource({5, GymSplit::kRaw, {}}).task(number); }

TEST(GymProgram, SameStreamGivesTheSameText) {
  const GymTask task = some_task(0);
  const base::RandomStream stream(1, "program");
  EXPECT_EQ(write_program(task, task.draft.solutions[0], stream).text,
            write_program(task, task.draft.solutions[0], stream).text);
}

TEST(GymProgram, HundredStreamsGiveHundredTexts) {
  const GymTask task = some_task(1);
  std::set<std::string> texts;
  for (uint64_t i = 0; i < 100; ++i)
    texts.insert(write_program(task, task.draft.solutions[0], base::RandomStream(i, "program")).text);
  EXPECT_EQ(texts.size(), 100u);
}

TEST(GymProgram, LaunchesTheKernelsItDefines) {
  for (uint64_t i = 0; i < 20; ++i) {
    const GymTask task = some_task(i);
    for (const GymSolution& solution : task.draft.solutions) {
      const std::string text = write_program(task, solution, base::RandomStream(i, "program")).text;
      const cuda_source::KernelUse use = cuda_source::find_kernel_use(text);
      EXPECT_EQ(use.launched.size(), solution.kernels.size()) << text;
      for (const std::string& name : use.launched)
        EXPECT_NE(std::find(use.defined.begin(), use.defined.end(), name), use.defined.end()) << text;
      EXPECT_TRUE(use.mentions_main);
    }
  }
}

// A small model learns them in 2,048-token windows.
TEST(GymProgram, StaysShort) {
  std::vector<size_t> sizes;
  const TaskSource source({9, GymSplit::kRaw, {}});
  for (uint64_t i = 0; i < 300; ++i) {
    const GymTask task = source.task(i);
    const GymSolution& solution = task.draft.solutions[i % task.draft.solutions.size()];
    sizes.push_back(write_program(task, solution, base::RandomStream(i, "program")).text.size());
  }
  std::sort(sizes.begin(), sizes.end());
  size_t sum = 0;
  for (const size_t size : sizes) sum += size;
  EXPECT_LT(sum / sizes.size(), 1900u);
  EXPECT_LT(sizes[sizes.size() * 95 / 100], 2800u);
}

}  // namespace
}  // namespace cuset::gym
