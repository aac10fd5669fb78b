#include "benchmarks/benchmark_judge.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_judge.h"
#include "benchmarks/own_tests/completion.h"
#include "benchmarks/own_tests/test_judge.h"
#include "benchmarks/own_tests/test_sources.h"
#include "judge/once_per_task.h"

namespace cuset::benchmarks {
namespace {

class BenchmarkJudge : public judge::Judge {
 public:
  using judge::Judge::Judge;

  void forget(const tasks::Task& task) override;

 protected:
  judge::Verdict judge_code(const tasks::Task& task, const std::string& code) override;
  std::string text_of(const tasks::Task& task, const std::string& answer) override;

 private:
  judge::Verdict judge_module_code(const tasks::Task& task, const std::string& code);
  const ModuleJudgeSettings& module_settings();

  std::mutex mutex_;  // guards module_settings_ while it is made
  std::optional<ModuleJudgeSettings> module_settings_;
  judge::OncePerTask<ModuleExpected> expected_of_modules_;
};

judge::Verdict BenchmarkJudge::judge_code(const tasks::Task& task, const std::string& code) {
  if (task.kind == tasks::AnswerKind::kModule) return judge_module_code(task, code);
  if (task.kind == tasks::AnswerKind::kTests) return judge_tests(executor(), settings(), task, code);
  return judge::Judge::judge_code(task, code);
}

// ParEval's answers continue the prompt.
std::string BenchmarkJudge::text_of(const tasks::Task& task, const std::string& answer) {
  if (task.kind != tasks::AnswerKind::kTests || !includes_answer(task.tests) || task.prompts.empty())
    return answer;
  return continued_prompt(task.prompts[0].text, answer).value_or(answer);
}

judge::Verdict BenchmarkJudge::judge_module_code(const tasks::Task& task, const std::string& code) {
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
    found.python = judge::find_python(judge::PythonLibrary::kTorch);
    if (executor().name() == "gpu") {
      found.gpu = find_module_gpu(0);
    } else {
      execute::ExecutorSettings compiling;
      compiling.confinement = settings().confinement;
      found.emulator = execute::make_torch_toolkit({found.python.program, found.python.readable}, compiling);
      found.data_limit = kEmulatedDataLimit;
      found.work_limit = kEmulatedWorkLimit;
    }
    found.seed = settings().seed;
    found.trials = settings().trials;
    found.timing = settings().timing;
    found.compiled_baseline = settings().compiled_baseline;
    found.timed_runs = std::max(found.timed_runs, 10 * settings().timing_rounds);
    found.limits = module_limits();
    found.confinement = settings().confinement;
    module_settings_ = std::move(found);
  }
  return *module_settings_;
}

void BenchmarkJudge::forget(const tasks::Task& task) {
  judge::Judge::forget(task);
  expected_of_modules_.forget(task);
}

}  // namespace

std::unique_ptr<judge::Judge> make_benchmark_judge(execute::Executor& executor,
                                                   const judge::JudgeSettings& settings) {
  return std::make_unique<BenchmarkJudge>(executor, settings);
}

}  // namespace cuset::benchmarks
