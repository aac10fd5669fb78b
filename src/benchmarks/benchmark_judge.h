// Judges answers to the tasks of every benchmark: programs and functions as any judge does, KernelBench's
// modules in Python, and answers to tasks with tests (ParEval, compute-eval) by those tests.
#pragma once

#include <memory>

#include "execute/executor.h"
#include "judge/judge.h"

namespace cuset {

// `executor` must outlive the judge. Throws Error for settings without a trial.
std::unique_ptr<Judge> make_benchmark_judge(Executor& executor, const JudgeSettings& settings);

}  // namespace cuset
