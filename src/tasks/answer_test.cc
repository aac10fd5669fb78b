#include "tasks/answer.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::tasks {
namespace {

std::vector<Task> tasks_named(const std::vector<std::string>& ids) {
  std::vector<Task> tasks;
  for (const std::string& id : ids) {
    tasks.emplace_back();
    tasks.back().id = id;
  }
  return tasks;
}

// "task#sample" of one answer after matching, or the error.
std::string matched(Answer answer, const std::vector<std::string>& ids) {
  std::vector<Answer> answers = {std::move(answer)};
  try {
    match_answers(answers, tasks_named(ids));
  } catch (const base::Error& error) {
    return error.what();
  }
  return fmt::format("{}#{}", answers[0].task, answers[0].sample);
}

TEST(AnswerMatching, IdsAreTakenAsTheyAre) {
  EXPECT_EQ(matched({"add", 2, "", -1, "a:1"}, {"scan", "add"}), "add#2");
}

TEST(AnswerMatching, TheLastPartOfAnIdIsEnoughWhereNoOtherEndsSo) {
  EXPECT_EQ(matched({"15", 0, "", -1, "a:1"}, {"cudabench/15", "cudabench/5"}), "cudabench/15#0");
  EXPECT_EQ(matched({"1/23", 0, "", -1, "a:1"}, {"x/1/23", "x/2/23"}), "x/1/23#0");
  EXPECT_EQ(matched({"23", 0, "", -1, "a:1"}, {"x/1/23", "x/2/23"}),
            "a:1: an answer to the unknown task \"23\"");
}

TEST(AnswerMatching, KernelbenchsProblemsByLevelAndNumberOrByName) {
  std::vector<Task> tasks = tasks_named({"level1_23_Softmax", "level2_23_Conv"});
  for (Task& task : tasks) task.benchmark = "kernelbench";
  std::vector<Answer> answers = {{"2/23", 0, "", -1, "a:1"}, {"23_Softmax", 0, "", -1, "a:2"}};
  match_answers(answers, tasks);
  EXPECT_EQ(answers[0].task, "level2_23_Conv");
  EXPECT_EQ(answers[1].task, "level1_23_Softmax");
}

TEST(AnswerMatching, SlashesMayBeUnderscores) {
  EXPECT_EQ(matched({"CUDA", 7, "", -1, "answers/CUDA_7.cu"}, {"CUDA/7", "CUDA/8"}), "CUDA/7#0");
  EXPECT_EQ(matched({"CUDA_7", 1, "", -1, "answers/CUDA_7_1.cu"}, {"CUDA/7", "CUDA/8"}), "CUDA/7#1");
}

TEST(AnswerMatching, FileWithANumberIsASampleUnlessATaskIsCalledSo) {
  EXPECT_EQ(matched({"scan", 2, "", -1, "answers/scan_2.cu"}, {"scan"}), "scan#2");
  EXPECT_EQ(matched({"scan", 2, "", -1, "answers/scan_2.cu"}, {"scan", "scan_2"}), "scan_2#0");
  EXPECT_EQ(matched({"scan", 2, "", -1, "answers.jsonl:5"}, {"scan", "scan_2"}), "scan#2");
}

TEST(AnswerMatching, UnknownTasksAreNamedWithTheNearest) {
  EXPECT_EQ(matched({"sofmax", 0, "", -1, "a.jsonl:3"}, {"softmax", "scan"}),
            "a.jsonl:3: an answer to the unknown task \"sofmax\"; did you mean 'softmax'?");
}

TEST(AnswerMatching, TwoNamesOfOneTaskCannotGiveTheSameSampleTwice) {
  std::vector<Answer> answers = {{"15", 0, "", -1, "a:1"}, {"cudabench/15", 0, "", -1, "a:2"}};
  EXPECT_THROW(match_answers(answers, tasks_named({"cudabench/15"})), base::Error);
}

}  // namespace
}  // namespace cuset::tasks
