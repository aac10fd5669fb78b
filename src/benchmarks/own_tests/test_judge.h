// Judges an answer by its benchmark's own tests (AnswerKind::kTests). docs/benchmarks.md.
//
// The tests and the answer share one process: an answer that changes the tests' memory while they run is not
// caught here. Everything short of that is: ending early, printing success, macros, replaced test files,
// redefined library functions, kernels that are never launched or do nothing, and, on the CPU executor, a host
// that computes (host_work_rule.h).
#pragma once

#include <string>

#include "execute/executor.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

// `code` is the program of the answer, already taken out of its text. Safe to call from many threads. Throws
// Error only where the machine fails, and JudgeInterrupted.
judge::Verdict judge_tests(execute::Executor& executor, const judge::JudgeSettings& settings,
                           const tasks::Task& task, const std::string& code);

}  // namespace cuset::benchmarks
