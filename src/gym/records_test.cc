#include "gym/records.h"

#include <gtest/gtest.h>

#include <map>

#include "base/files/file.h"
#include "base/files/sha256.h"
#include "base/files/temporary_folder.h"
#include "cuda_source/answer.h"

namespace cuset::gym {
namespace {

TEST(SampleRecord, HoldsPromptResponseAndWhereItComesFrom) {
  const TaskSource source({1, GymSplit::kTrain, {"saxpy"}});
  const base::Json record = sample_record(source, 3, 1, {});
  for (const char* key : {"id", "family", "style", "level", "reasoning", "noise", "prompt", "response"})
    EXPECT_TRUE(record[key].is_string()) << key;
  EXPECT_EQ(record["noise"], "none");
  EXPECT_TRUE(record["response"].get<std::string>().starts_with("#include"));
}

TEST(SampleRecord, ReasoningStandsInFrontOfTheSameProgram) {
  const TaskSource source({1, GymSplit::kTrain, {}});
  std::map<std::string, size_t> sizes;
  for (const char* length : {"short", "medium", "long"}) {
    SampleOptions options;
    options.reasoning = reasoning_lengths(length);
    for (uint64_t i = 0; i < 30; ++i) {
      const std::string response = sample_record(source, i, 1, options)["response"];
      const cuda_source::Extraction extraction = cuda_source::extract_code(response);
      ASSERT_TRUE(extraction.program.has_value()) << response;
      EXPECT_LE(extraction.program->code.find("#include"), 1u) << response;
      sizes[length] += response.size() - extraction.program->code.size();
    }
  }
  EXPECT_LT(sizes["short"], sizes["medium"]);
  EXPECT_LT(sizes["medium"], sizes["long"]);
}

TEST(SampleRecord, LevelOneAsksForTheStyleThatIsAnswered) {
  const TaskSource source({2, GymSplit::kTrain, {"saxpy"}});
  SampleOptions options;
  options.levels = {"1"};
  for (uint64_t i = 0; i < 20; ++i) {
    const GymTask task = source.task(i);
    EXPECT_EQ(sample_record(source, i, 2, options)["style"], task.draft.solutions[task.wished].style);
  }
}

TEST(Baseline, IsThePlainestSolutionAndTheSameForTheSameTask) {
  const TaskSource source({1, GymSplit::kTrain, {}});
  for (uint64_t i = 0; i < 60; ++i) {
    GymTask task = source.task(i), again = source.task(i);
    const GymSolution& plainest = plainest_solution(task.draft);
    for (const GymSolution& solution : task.draft.solutions)
      EXPECT_LE(plainest.kernels.size(), solution.kernels.size()) << task.task.id;
    EXPECT_TRUE(task.task.baseline.empty());
    add_baseline(task);
    add_baseline(again);
    EXPECT_EQ(task.task.baseline, again.task.baseline);
    EXPECT_NE(task.task.baseline.find("int main("), std::string::npos);
    EXPECT_EQ(tasks::task_from_json(tasks::json_of(task.task), "x:1").baseline, task.task.baseline);
  }
}

class TaskFilesTest : public testing::Test {
 protected:
  // The files of 40 tasks, written by so many threads.
  std::pair<std::string, std::string> write(int workers) {
    const TaskFiles files = {folder_ / "tasks.jsonl", folder_ / "answers.jsonl"};
    const TaskWriteResult result =
        write_task_files(TaskSource({5, GymSplit::kHeldOut, {"saxpy"}}), {40, workers, "tasks"}, files);
    EXPECT_TRUE(result.done);
    EXPECT_EQ(result.repeated, 0u);
    return {base::read_file(files.tasks), base::read_file(files.answers)};
  }

  base::TemporaryFolder folder_;
};

TEST_F(TaskFilesTest, NumberOfThreadsDoesNotShow) { EXPECT_EQ(write(1), write(4)); }

TEST_F(TaskFilesTest, EveryStyleIsAnAnswer) {
  const auto [tasks, answers] = write(2);
  EXPECT_EQ(std::count(tasks.begin(), tasks.end(), '\n'), 40);
  EXPECT_GE(std::count(answers.begin(), answers.end(), '\n'), 120);
}

}  // namespace
}  // namespace cuset::gym
