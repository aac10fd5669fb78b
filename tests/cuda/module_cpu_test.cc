// Answers to KernelBench problems of the fixture on the CPU executor, with the real clang and PyTorch:
// testdata/kernelbench/<task>/<answer>.py, whose first line says what is to come out on a GPU ("# verdict: WORD"), and
// "# on a CPU: WORD" in its second line where that differs. Skipped without the fixture, clang or Python with PyTorch.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/jsonl.h"
#include "benchmarks/kernelbench/kernelbench.h"
#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_judge.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

struct WrittenAnswer {
  fs::path file;
  std::string task;
  std::string code;
  std::string outcome;
};

std::string after_mark(const std::string& code, const std::string& mark) {
  const size_t found = code.find(mark);
  if (found == code.npos) return "";
  const size_t start = found + mark.size();
  return code.substr(start, code.find_first_of(",\n", start) - start);
}

std::vector<WrittenAnswer> written_answers() {
  std::vector<WrittenAnswer> answers;
  for (const auto& entry : fs::recursive_directory_iterator("testdata/kernelbench")) {
    if (entry.path().extension() != ".py") continue;
    WrittenAnswer answer{entry.path(), entry.path().parent_path().filename().string(),
                         base::read_file(entry.path()), ""};
    const std::string here = after_mark(answer.code, "# on a CPU: ");
    answer.outcome = here.empty() ? after_mark(answer.code, "# verdict: ") : here;
    answers.push_back(std::move(answer));
  }
  std::sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return answers;
}

std::map<std::string, tasks::Task> fixture_tasks() {
  const char* set = std::getenv("CUSET_FIXTURES");
  const fs::path file =
      fs::path(set != nullptr ? set : "../shared/fixtures") / "benchmarks/kernelbench-open.jsonl";
  std::map<std::string, tasks::Task> tasks;
  if (!fs::exists(file)) return tasks;
  base::JsonlReader reader(file);
  while (const auto row = reader.next()) {
    tasks::Task task = benchmarks::task_of_kernelbench_row(*row, reader.place());
    const std::string name = fmt::format("level{}_{}", (*row)["level"].dump(), task.family);
    tasks[name] = std::move(task);
  }
  return tasks;
}

// Made once: precompiling PyTorch's headers takes most of a minute where the cache does not have them.
const benchmarks::ModuleJudgeSettings& emulated_settings() {
  static const benchmarks::ModuleJudgeSettings settings = [] {
    const char* const own = ".deps/venv/bin/python";
    if (std::getenv("CUSET_PYTHON") == nullptr && fs::exists(own)) ::setenv("CUSET_PYTHON", own, 1);
    benchmarks::ModuleJudgeSettings made;
    made.python = judge::find_python(judge::PythonLibrary::kTorch);
    execute::ExecutorSettings compiling;
    compiling.cache = CUSET_TEST_CACHE;
    made.emulator = execute::make_torch_toolkit({made.python.program, made.python.readable}, compiling);
    made.limits = benchmarks::module_limits();
    made.seed = 17;
    made.data_limit = 2 << 20;
    made.work_limit = 50'000'000;
    return made;
  }();
  return settings;
}

class KernelBenchCpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      settings_ = emulated_settings();
    } catch (const base::Error& error) {
      GTEST_SKIP() << "skipped: no CPU executor for PyTorch: " << error.one_line();
    }
  }

  void judge(const WrittenAnswer& answer, const tasks::Task& task) {
    Shared& shared = expected_[answer.task];
    const judge::Verdict verdict =
        benchmarks::judge_module(settings_, task, answer.code, [&]() -> const benchmarks::ModuleExpected& {
          std::call_once(shared.made, [&] {
            shared.expected = std::make_unique<benchmarks::ModuleExpected>(settings_, task);
          });
          return *shared.expected;
        });
    std::printf("%-70s %-14s %6.1f s, loaded in %5.1f s  %s\n", answer.file.c_str(),
                std::string(judge::name_of(verdict.outcome)).c_str(), verdict.seconds, verdict.build_seconds,
                verdict.explanation.c_str());
    EXPECT_EQ(judge::name_of(verdict.outcome), answer.outcome)
        << answer.file << ": " << verdict.explanation << verdict.compiler_messages;
    EXPECT_FALSE(verdict.timing);
  }

  // Two at once: a compiler waits for the other half of its source, Python for the compiler.
  void judge_all(const std::vector<WrittenAnswer>& answers, const std::map<std::string, tasks::Task>& tasks) {
    for (const auto& [name, task] : tasks) expected_[name];
    std::atomic<size_t> next = 0;
    std::vector<std::future<void>> workers;
    for (int i = 0; i < 2; ++i) {
      workers.push_back(std::async(std::launch::async, [&] {
        for (size_t at = next++; at < answers.size(); at = next++)
          judge(answers[at], tasks.at(answers[at].task));
      }));
    }
    for (std::future<void>& worker : workers) worker.get();
  }

  struct Shared {
    std::once_flag made;
    std::unique_ptr<benchmarks::ModuleExpected> expected;
  };

  std::map<std::string, Shared> expected_;  // one for each task, made before the threads
  benchmarks::ModuleJudgeSettings settings_;
};

TEST_F(KernelBenchCpu, WrittenAnswersAreJudged) {
  const std::map<std::string, tasks::Task> tasks = fixture_tasks();
  if (tasks.empty()) GTEST_SKIP() << "skipped: no KernelBench fixture: set CUSET_FIXTURES";
  settings_.timing = true;  // which is left out
  std::vector<WrittenAnswer> answers = written_answers();
  if (const char* only = std::getenv("KERNELBENCH_ANSWER"))
    std::erase_if(answers,
                  [&](const WrittenAnswer& a) { return a.file.string().find(only) == std::string::npos; });
  judge_all(answers, tasks);
}

}  // namespace
}  // namespace cuset::tests
