// Judges answers to the tasks of every benchmark: programs and functions as any judge does, KernelBench's
// modules in Python, and answers to tasks with tests (ParEval, compute-eval) by those tests.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "verify/benchmarks/kernelbench/module_expected.h"
#include "verify/benchmarks/kernelbench/module_judge.h"
#include "verify/judge/judge.h"
#include "verify/judge/once_per_task.h"

namespace cuset {

class BenchmarkJudge : public Judge {
 public:
  using Judge::Judge;

  void forget(const Task& task) override;

 protected:
  Verdict judge_code(const Task& task, const std::string& code) override;

 private:
  Verdict judge_module_code(const Task& task, const std::string& code);
  const ModuleJudgeSettings& module_settings();

  std::mutex mutex_;  // guards module_settings_ while it is made
  std::optional<ModuleJudgeSettings> module_settings_;
  OncePerTask<ModuleExpected> expected_of_modules_;
};

}  // namespace cuset
