#include "report/task_table.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::report {
namespace {

std::string verdict(const std::string& task, int sample, const std::string& word) {
  return base::to_json_line({{"task", task}, {"family", "map"}, {"sample", sample}, {"word", word}}) + "\n";
}

// Two methods whose verdicts are given.
ReportSources two_methods(const support::TestFolder& folder, const std::string& first,
                          const std::string& second) {
  ReportSources sources;
  sources.methods.resize(2);
  sources.methods[0].name = "base";
  sources.methods[0].verdicts = folder.write("a/verdicts.jsonl", first);
  sources.methods[1].name = "tuned";
  sources.methods[1].verdicts = folder.write("b/verdicts.jsonl", second);
  return sources;
}

TEST(TaskTable, BringsTasksAnswersAndVerdictsTogether) {
  const support::TestFolder folder;
  ReportSources sources = two_methods(folder, verdict("t", 1, "crash") + verdict("t", 0, "correct"), "");
  sources.methods[0].answers = folder.write(
      "a/answers.jsonl", "{\"task\":\"t\",\"sample\":0,\"text\":\"int x;\",\"tokens\":7,\"level\":\"2\"}\n");
  sources.tasks = folder.write("tasks.jsonl",
                               "{\"id\":\"unanswered\",\"prompts\":[]}\n"
                               "{\"id\":\"t\",\"family\":\"map\",\"prompts\":[{\"level\":\"1\",\"text\":"
                               "\"long\"},{\"level\":\"2\",\"text\":"
                               "\"short\"}]}\n");
  const TaskTable table = read_task_table(sources);
  EXPECT_EQ(table.overview["words"], base::Json({"correct", "crash"}));
  EXPECT_EQ(
      table.overview["tasks"],
      base::Json::array({{{"id", "t"}, {"family", "map"}, {"results", {{0, 1}, base::Json::array()}}}}));
  EXPECT_EQ(table.details[0]["prompt"], "short");
  EXPECT_EQ(table.details[0]["answers"][0][0], (base::Json{{"text", "int x;"}, {"tokens", 7}}));
}

TEST(TaskTable, ShowsTheFirstWrongElements) {
  const support::TestFolder folder;
  const base::Json wrong_trial = {
      {"variation", "scaled"},
      {"word", "wrong_output"},
      {"outputs",
       {{{"name", "out"}, {"elements", 9}, {"wrong", 2}, {"first", {{{"index", 3}, {"got", "nan"}}}}}}}};
  const base::Json record = {{"task", "t"},
                             {"word", "wrong_output"},
                             {"explanation", "out[3] is nan"},
                             {"compiler_messages", "warning"},
                             {"trials", {{{"variation", "plain"}, {"word", "correct"}}, wrong_trial}}};
  const TaskTable table = read_task_table(two_methods(folder, base::to_json_line(record) + "\n", ""));
  const base::Json answer = table.details[0]["answers"][0][0];
  EXPECT_EQ(answer["wrong"]["trial"], "scaled");
  EXPECT_EQ(answer["wrong"]["first"][0]["index"], 3);
  EXPECT_EQ(answer["messages"], "warning");
  EXPECT_EQ(answer["explanation"], "out[3] is nan");
}

TEST(TaskTable, DifferencesArePairedByTask) {
  const support::TestFolder folder;
  std::string base;
  std::string tuned;
  for (int task = 0; task < 20; ++task) {
    base += verdict(std::to_string(task), 0, task < 5 ? "correct" : "crash");
    tuned += verdict(std::to_string(task), 0, task < 15 ? "correct" : "crash");
  }
  base += verdict("only base", 0, "correct");
  tuned += verdict("0", 1, "unsupported");
  const base::Json row = read_task_table(two_methods(folder, base, tuned)).differences[0];
  EXPECT_EQ(row["tasks"], 20);
  EXPECT_EQ(row["value"], 0.5);
  EXPECT_GT(row["low"], 0.2);
  EXPECT_LT(row["high"], 0.8);
}

TEST(TaskTable, LongTextsAreCutBetweenCharacters) {
  const support::TestFolder folder;
  ReportSources sources = two_methods(folder, "", "");
  std::string text(kMostTextBytes - 1, 'a');
  text += "\u00e9 and more";
  sources.methods[0].answers = folder.write(
      "a/answers.jsonl", base::to_json_line({{"task", "t"}, {"sample", 0}, {"text", text}}) + "\n");
  const std::string shown = read_task_table(sources).details[0]["answers"][0][0]["text"];
  EXPECT_EQ(shown, std::string(kMostTextBytes - 1, 'a') + "\n… 11 bytes more");
}

TEST(TaskTable, TasksBeyondTheLimitAreCounted) {
  const support::TestFolder folder;
  std::string lines;
  for (size_t i = 0; i < kMostTasks + 3; ++i) lines += verdict(std::to_string(i), 0, "correct");
  const TaskTable table = read_task_table(two_methods(folder, lines, ""));
  EXPECT_EQ(table.overview["tasks"].size(), kMostTasks);
  EXPECT_EQ(table.details.size(), kMostTasks);
  EXPECT_EQ(table.overview["left_out"], 3);
}

TEST(TaskTable, ABadLineIsNamed) {
  const support::TestFolder folder;
  try {
    read_task_table(two_methods(folder, verdict("t", 0, "correct") + "{\"task\":3}\n", ""));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(error.one_line().find("verdicts.jsonl:2: field 'task' must be a string, found the number 3"),
              std::string::npos)
        << error.one_line();
  }
}

}  // namespace
}  // namespace cuset::report
