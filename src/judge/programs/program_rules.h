// Judges programs (AnswerKind::kProgram) and functions (kFunction): both read their inputs from files and
// write their outputs to files (program_run.h), functions through our harness (harness.h).
#pragma once

#include <functional>
#include <string>

#include "execute/executor.h"
#include "judge/scripts/task_scripts.h"
#include "judge/trials/expected.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

// What every program is judged with.
struct ProgramJudging {
  execute::Executor& executor;
  const JudgeSettings& settings;
  TaskScripts& scripts;
};

struct ProgramAnswer {
  const tasks::Task& task;
  const std::string& code;  // already taken out of the answer's text
};

// `expected` gives what make_expected (expected.h) makes of the task; it is called only if the answer compiles.
// Safe to call from many threads. Throws Error only where the machine fails, and JudgeInterrupted.
Verdict judge_program(const ProgramJudging& with, const ProgramAnswer& answer,
                      const std::function<const Expected&()>& expected);

// Rule 6 alone, for an answer that is right on an executor without checks: what `with.executor`, which has them, says of the
// trials under checks. kCorrect and kUndefinedBehavior decide; `unchecked` says why nothing does. It gives up sooner than
// judge_program: what takes long under checks is not run without.
Verdict check_program(const ProgramJudging& with, const ProgramAnswer& answer, const Expected& expected);

}  // namespace cuset::judge
