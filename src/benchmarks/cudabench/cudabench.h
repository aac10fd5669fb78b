// CUDABench (docs/benchmarks.md): JSONL rows with bench.cu, gen.py and compare.py.
#pragma once

#include <string>

#include "base/json/json.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

// Throws Error that opens with `place`. A row whose scripts cannot be understood is a task with a fault.
tasks::Task task_of_cudabench_row(const base::Json& row, const std::string& place);

}  // namespace cuset::benchmarks
