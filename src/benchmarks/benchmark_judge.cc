#include "benchmarks/benchmark_judge.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_judge.h"
#include "benchmarks/tests/test_judge.h"
#include "judge/once_per_task.h"

namespace cuset {
namespace {

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

Verdict BenchmarkJudge::judge_code(const Task& task, const std::string& code) {
  if (task.kind == AnswerKind::kModule) return judge_module_code(task, code);
  if (task.kind == AnswerKind::kTests) return judge_tests(executor(), settings(), task, code);
  return Judge::judge_code(task, code);
}

Verdict BenchmarkJudge::judge_module_code(const Task& task, const std::string& code) {
  const ModuleJudgeSettings& modules = module_settings();
  std::shared_ptr<const ModuleExpected> expected;
  return judge_module(modules, task, code, [&]() -> const ModuleExpected& {
    expected = expected_of_modules_.get(task, [&] { return ModuleExpected(modules, task); });
    return *expected;
  });
}

// Looks for Python when the first module is judged.
const ModuleJudgeSettings& BenchmarkJudge::module_settings() {
  const std::lock_guard lock(mutex_);
  if (!module_settings_) {
    ModuleJudgeSettings found;
    found.python = find_python(PythonLibrary::kTorch);
    if (executor().name() == "gpu") found.gpu = find_module_gpu(0);
    found.seed = settings().seed;
    found.trials = settings().trials;
    found.timing = settings().timing;
    found.timed_runs = std::max(found.timed_runs, 10 * settings().timing_rounds);
    found.limits = module_limits();
    found.confinement = settings().confinement;
    module_settings_ = std::move(found);
  }
  return *module_settings_;
}

void BenchmarkJudge::forget(const Task& task) {
  Judge::forget(task);
  expected_of_modules_.forget(task);
}

}  // namespace

std::unique_ptr<Judge> make_benchmark_judge(Executor& executor, const JudgeSettings& settings) {
  return std::make_unique<BenchmarkJudge>(executor, settings);
}

}  // namespace cuset
