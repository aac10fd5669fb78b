// Judges answers to the tasks of every benchmark: programs and functions as any judge does, KernelBench's
// modules in Python, and answers to tasks with tests (ParEval, compute-eval) by those tests.
#pragma once

#include <memory>

#include "execute/executor.h"
#include "judge/judge.h"

namespace cuset::benchmarks {

// `executor` must outlive the judge. Throws Error for settings without a trial.
std::unique_ptr<judge::Judge> make_benchmark_judge(execute::Executor& executor,
                                                   const judge::JudgeSettings& settings);

}  // namespace cuset::benchmarks
