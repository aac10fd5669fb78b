// How a run of the emulator ended, from what the sandbox saw and what the program's runtime recorded.
#pragma once

#include "verify/executor.h"
#include "verify/run_record.h"

namespace cuset {

// Kernels and findings are the record's. What the record says about failures counts only beside what the sandbox saw: a
// program that exits with status 87 by itself is not unsupported.
Run judge_emulated_run(const SandboxResult& process, const RunRecord& record, const SandboxLimits& limits);

}  // namespace cuset
