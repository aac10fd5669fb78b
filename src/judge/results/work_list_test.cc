#include "judge/results/work_list.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::judge {
namespace {

constexpr const char* kProgram = "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";

tasks::Task task_named(const std::string& id, tasks::AnswerKind kind = tasks::AnswerKind::kProgram) {
  tasks::Task task;
  task.id = id;
  task.kind = kind;
  return task;
}

// "scan: 1 3; 2 | add: 0".
std::string dump(const std::vector<WorkItem>& items) {
  std::string out;
  const tasks::Task* task = nullptr;
  for (const WorkItem& item : items) {
    if (item.task != task) {
      out += fmt::format("{}{}: ", task == nullptr ? "" : " | ", item.task->id);
    } else {
      out += "; ";
    }
    task = item.task;
    out += fmt::format("{}", fmt::join(item.answers, " "));
  }
  return out;
}

TEST(WorkList, TaskAfterTaskInOrderOfAppearance) {
  const std::vector<tasks::Task> tasks = {task_named("add"), task_named("scan"), task_named("unanswered")};
  const std::vector<tasks::Answer> answers = {
      {"scan", 0, "a", -1, ""}, {"add", 0, "a", -1, ""}, {"scan", 1, "b", -1, ""}};
  EXPECT_EQ(dump(work_items_of(answers, tasks)), "scan: 0; 2 | add: 1");
}

TEST(WorkList, TasksWithMoreDataAreBegunFirst) {
  std::vector<tasks::Task> tasks = {task_named("small"), task_named("none"), task_named("large"),
                                    task_named("nothing")};
  tasks[0].outputs.resize(1);
  tasks[0].outputs[0].shape = {10};
  tasks[2].inputs.resize(1);
  tasks[2].inputs[0].shape = {10, 10};
  const std::vector<tasks::Answer> answers = {{"none", 0, "a", -1, ""},
                                              {"small", 0, "a", -1, ""},
                                              {"nothing", 0, "a", -1, ""},
                                              {"large", 0, "a", -1, ""},
                                              {"large", 1, "b", -1, ""}};
  EXPECT_EQ(dump(work_items_of(answers, tasks)), "large: 3; 4 | small: 1 | none: 0 | nothing: 2");
}

TEST(WorkList, EqualProgramsAreOneJudgementWhateverIsAroundThem) {
  const std::vector<tasks::Task> tasks = {task_named("add"), task_named("scan")};
  const std::string code = kProgram;
  const std::vector<tasks::Answer> answers = {
      {"add", 0, "```cuda\n" + code + "```\n", -1, ""},
      {"scan", 0, code, -1, ""},
      {"add", 1, "I thought long.\n```cuda\n" + code + "```\nDone.", -1, ""},
      {"add", 2, "no code at all", -1, ""}};
  EXPECT_EQ(dump(work_items_of(answers, tasks)), "add: 0 2; 3 | scan: 1");
}

TEST(WorkList, WithABenchmarksOwnTestsOnlyEqualTextsAreEqual) {
  const std::vector<tasks::Task> tasks = {task_named("add", tasks::AnswerKind::kTests)};
  const std::string code = kProgram;
  const std::vector<tasks::Answer> answers = {
      {"add", 0, "```\n" + code + "```\n", -1, ""}, {"add", 1, code, -1, ""}, {"add", 2, code, -1, ""}};
  EXPECT_EQ(dump(work_items_of(answers, tasks)), "add: 0; 1 2");
}

TEST(WorkList, UnknownTasksAreRefused) {
  const std::vector<tasks::Task> tasks = {task_named("add")};
  const std::vector<tasks::Answer> answers = {{"ad", 0, "a", -1, "a.jsonl:1"}};
  EXPECT_THROW(work_items_of(answers, tasks), base::Error);
}

}  // namespace
}  // namespace cuset::judge
