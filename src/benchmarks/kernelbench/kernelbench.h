// KernelBench (docs/benchmarks.md): problems that are PyTorch modules, as rows of level, name and Python code,
// or as the folder of .py files of its repository (KernelBench/level1/23_Softmax.py).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

// Throws Error that opens with `place`.
tasks::Task task_of_kernelbench_row(const base::Json& row, const std::string& place);

// The problems below `folder`, in the order of their paths; none where it holds no problem.
std::vector<tasks::Task> read_kernelbench_folder(const std::filesystem::path& folder);

}  // namespace cuset::benchmarks
