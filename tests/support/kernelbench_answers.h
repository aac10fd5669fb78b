// The answers to KernelBench problems in testdata/kernelbench/<task>/<answer>.py, and the problems themselves, which the fixture
// has. The first lines of an answer say what is to come out:
//   # verdict: WORD                  or, where only timing finds out:  # verdict: WORD, timed: WORD
//   # on a CPU: WORD                 in the second line, where the CPU executor says something else
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/json/jsonl.h"
#include "benchmarks/kernelbench/kernelbench.h"

namespace cuset::tests {

struct WrittenAnswer {
  std::filesystem::path file;
  std::string task;
  std::string code;
  std::string outcome = {};  // on a GPU, without timing
  std::string timed = {};    // on a GPU, with it
  std::string on_cpu = {};
};

// The word behind a mark; empty where there is none.
inline std::string word_after(const std::string& code, const std::string& mark) {
  const size_t found = code.find(mark);
  if (found == code.npos) return "";
  const size_t start = found + mark.size();
  return code.substr(start, code.find_first_of(",\n", start) - start);
}

inline std::vector<WrittenAnswer> written_answers() {
  std::vector<WrittenAnswer> answers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("testdata/kernelbench")) {
    if (entry.path().extension() != ".py") continue;
    WrittenAnswer answer{entry.path(), entry.path().parent_path().filename().string(),
                         base::read_file(entry.path())};
    answer.outcome = word_after(answer.code, "# verdict: ");
    answer.timed = word_after(answer.code, ", timed: ");
    answer.on_cpu = word_after(answer.code, "# on a CPU: ");
    if (answer.timed.empty()) answer.timed = answer.outcome;
    if (answer.on_cpu.empty()) answer.on_cpu = answer.outcome;
    answers.push_back(std::move(answer));
  }
  std::sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return answers;
}

// By names such as "level1_19_ReLU"; none where the fixture is absent.
inline std::map<std::string, tasks::Task> kernelbench_fixture_tasks() {
  const char* set = std::getenv("CUSET_FIXTURES");
  const std::filesystem::path file = std::filesystem::path(set != nullptr ? set : "../shared/fixtures") /
                                     "benchmarks/kernelbench-open.jsonl";
  std::map<std::string, tasks::Task> tasks;
  if (!std::filesystem::exists(file)) return tasks;
  base::JsonlReader reader(file);
  while (const auto row = reader.next()) {
    tasks::Task task = benchmarks::task_of_kernelbench_row(*row, reader.place());
    const std::string name = fmt::format("level{}_{}", (*row)["level"].dump(), task.family);
    tasks[name] = std::move(task);
  }
  return tasks;
}

}  // namespace cuset::tests
