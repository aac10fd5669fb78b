// The executor for machines without a GPU: clang and the emulator (emulator/toolchain.h) make an ordinary program of a CUDA
// source, which runs in the sandbox with one worker per core.
//
// Where nvcc is asked to judge, its verdict on whether the source compiles comes first, and what it accepts but the emulator
// cannot build is `unsupported`, never an error of the program.
#pragma once

#include <string>

#include "verify/executor.h"
#include "verify/run_record.h"

namespace cuset {

// How a run of the emulator ended, from what the sandbox and the record say. Kernels and findings are the record's.
Run judge_emulated_run(const SandboxResult& process, const RunRecord& record, const SandboxLimits& limits);

}  // namespace cuset
