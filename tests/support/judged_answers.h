// A fixture for answers that lie in a folder with their tasks, tasks.jsonl: one executor and one judge for all
// of them. CUSET_TEST_EXECUTOR=gpu judges on the GPU.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "base/json/jsonl.h"
#include "judge/judge.h"
#include "support/test_executor.h"
#include "tasks/task.h"

namespace cuset::tests {

template <typename Answer>
class JudgedAnswers : public testing::TestWithParam<Answer> {
 protected:
  // For SetUpTestSuite.
  static void start(const std::filesystem::path& folder) {
    made_ = make_test_executor(is_gpu_chosen());
    if (!made_.executor) return;
    judge_ = std::make_unique<judge::Judge>(*made_.executor, judge::JudgeSettings());
    base::JsonlReader reader(folder / "tasks.jsonl");
    while (const auto record = reader.next()) {
      tasks::Task task = tasks::task_from_json(*record, reader.place());
      tasks_[task.id] = std::move(task);
    }
  }
  static void TearDownTestSuite() {
    judge_.reset();
    made_.executor.reset();
  }
  void SetUp() override {
    if (!judge_) GTEST_SKIP() << "skipped: no executor here: " << made_.absent;
  }

  static judge::Verdict judge(const std::string& task, const std::string& source) {
    const auto found = tasks_.find(task);
    CUSET_CHECK(found != tasks_.end(), "no task {}", task);
    return judge_->judge(found->second, source);
  }

 private:
  static inline TestExecutor made_;
  static inline std::unique_ptr<judge::Judge> judge_;
  static inline std::map<std::string, tasks::Task> tasks_;
};

}  // namespace cuset::tests
