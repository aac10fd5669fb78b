// CUDABench (docs/benchmarks.md): JSONL rows with bench.cu, gen.py and compare.py.
#pragma once

#include <string>

#include "base/json/json.h"
#include "tasks/task.h"

namespace cuset {

// Throws Error that opens with `place`. A row whose scripts cannot be understood is a task with a fault.
Task task_of_cudabench_row(const Json& row, const std::string& place);

}  // namespace cuset
