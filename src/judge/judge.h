// Judges one answer: compile, run on several fresh inputs, compare, prove that its kernel did the work.
// docs/verdicts.md has the rules.
#pragma once

#include <string>

#include "execute/executor.h"
#include "judge/once_per_task.h"
#include "judge/scripts/task_scripts.h"
#include "judge/trials/expected.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

// Judges whole programs and functions. Benchmarks that bring their own way of running an answer derive from
// it (benchmarks/benchmark_judge.h).
class Judge {
 public:
  // `executor` must outlive the judge. Throws Error for settings without a trial.
  Judge(execute::Executor& executor, const JudgeSettings& settings);
  virtual ~Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // Safe to call from many threads. `answer` is the model's text. Throws Error only where the machine fails
  // (sandbox, disk), and JudgeInterrupted; everything an answer does is a verdict. The expected outputs of a
  // task are computed once.
  Verdict judge(const tasks::Task& task, const std::string& answer);

  // Frees what is kept for `task`: its inputs and expected outputs.
  virtual void forget(const tasks::Task& task);

  execute::Executor& executor() const { return executor_; }
  const JudgeSettings& settings() const { return settings_; }

 protected:
  // `code` is the program found in the answer, in the language that the task's kind asks for. A kind that is
  // neither program nor function is kUnsupported.
  virtual Verdict judge_code(const tasks::Task& task, const std::string& code);
  // The text in which the program is looked for, where a benchmark's answers have a form of their own.
  virtual std::string text_of(const tasks::Task& /*task*/, const std::string& answer) { return answer; }

 private:
  Verdict judge_text(const tasks::Task& task, const std::string& answer);

  execute::Executor& executor_;
  const JudgeSettings settings_;
  TaskScripts scripts_;
  OncePerTask<Expected> expected_;
};

}  // namespace cuset::judge
