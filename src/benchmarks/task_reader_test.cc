#include "benchmarks/task_reader.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

class TaskReader : public testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    base::write_file_atomic(folder_ / name, text);
    return folder_ / name;
  }

  // The error with the folder's name taken away.
  std::string refused(const fs::path& path) {
    std::string line = support::error_of([&] { read_tasks(path); });
    const std::string prefix = folder_.path().string() + "/";
    for (size_t at; (at = line.find(prefix)) != std::string::npos;) line.erase(at, prefix.size());
    return line;
  }

  base::TemporaryFolder folder_;
};

std::string line_of(const std::string& id) {
  return R"({"id": ")" + id +
         R"(", "outputs": [{"name": "y", "type": "float32", "shape": [4]}], "oracle": {"program": "int main() {}"}})"
         "\n";
}

TEST_F(TaskReader, OurOwnForm) {
  const TaskFile tasks = read_tasks(file("t.jsonl", "\n" + line_of("a") + line_of("b")));
  EXPECT_EQ(tasks.benchmark, "cuset");
  ASSERT_EQ(tasks.tasks.size(), 2u);
  EXPECT_EQ(tasks.tasks[1].id, "b");
  EXPECT_EQ(tasks.tasks[1].place, (folder_ / "t.jsonl").string() + ":3");
}

TEST_F(TaskReader, TheSameIdTwiceNamesBothPlaces) {
  EXPECT_EQ(
      refused(file("t.jsonl", line_of("a") + line_of("b") + line_of("a"))),
      "t.jsonl:3: a second task with the id \"a\"; the first is at t.jsonl:1 (give every task its own id)");
}

TEST_F(TaskReader, KernelbenchRowsAndFolders) {
  const std::string code = "class Model(M): pass\\ndef get_inputs(): pass\\ndef get_init_inputs(): pass\\n";
  const TaskFile rows = read_tasks(
      file("k.jsonl", R"({"level": 2, "problem_id": 5, "name": "5_Gemm", "code": ")" + code + "\"}\n"));
  EXPECT_EQ(rows.benchmark, "kernelbench");
  ASSERT_EQ(rows.tasks.size(), 1u);
  EXPECT_EQ(rows.tasks[0].kind, tasks::AnswerKind::kModule);

  file("KernelBench/level2/5_Gemm.py",
       "class Model(M): pass\ndef get_inputs(): pass\ndef get_init_inputs(): pass\n");
  file("KernelBench/level2/notes.py", "print()\n");
  const TaskFile modules = read_tasks(folder_ / "KernelBench");
  EXPECT_EQ(modules.benchmark, "kernelbench");
  ASSERT_EQ(modules.tasks.size(), 1u);
  EXPECT_EQ(modules.tasks[0].id, rows.tasks[0].id);
}

TEST_F(TaskReader, WhatIsNoTaskIsToldApart) {
  EXPECT_EQ(refused(file("t.jsonl", R"({"task": "a", "text": "b"})")),
            "t.jsonl:1: these are answers, not tasks (swap --tasks and --answers)");
  EXPECT_EQ(refused(file("t.jsonl", R"({"id": 3, "code1": "b"})")),
            "t.jsonl:1: these are answers, not tasks (swap --tasks and --answers)");
  const std::string kinds =
      "tasks of no known kind (docs/tasks.md has our own form; CUDABench, KernelBench, ParEval and "
      "compute-eval are "
      "read too)";
  EXPECT_EQ(refused(file("t.jsonl", R"({"prompt": "a"})")), "t.jsonl:1: " + kinds);
  EXPECT_EQ(refused(file("t.jsonl", "7")), "t.jsonl:1: " + kinds);
  EXPECT_EQ(refused(file("t.jsonl", "")), "t.jsonl: no tasks in it (docs/tasks.md has the form)");
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(refused(folder_ / "empty"), "empty: " + kinds);
  EXPECT_EQ(refused(file("t.jsonl", line_of("a") + "[]\n")),
            "t.jsonl:2: the top level must be an object, found a list (see docs/tasks.md)");
}

}  // namespace
}  // namespace cuset::benchmarks
