// How a run ended, as an outcome and one line of text: what the sandbox saw of the process and what the runtime
// recorded of its kernels, put together.
#pragma once

#include "execute/executor.h"
#include "execute/record/run_record.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

// The outcome and explanation of a run that gave `process` and `record`; kernels, findings and the first CUDA
// error are taken from the record. A fault of device code counts whatever the program made of it. A launch
// that was refused counts unless the program asked for the error and still ended with status 0. Exhausted GPU
// memory counts if the program failed.
Run classify_run(sandbox::SandboxResult process, RunRecord record, const sandbox::SandboxLimits& limits);

// Whether the GPU may have been left in a bad state: the program was killed, or it found no working device.
bool leaves_doubt(const Run& run);

}  // namespace cuset::execute
