// NVIDIA compute-eval (docs/benchmarks.md): problems.jsonl, or a tar.gz that holds it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace cuset::benchmarks {

// The text of problems.jsonl as tasks. Throws Error that opens with `name` and the line. A problem whose
// commands cannot be followed is a task with a fault.
std::vector<tasks::Task> parse_compute_eval(std::string_view problems, const std::string& name);

// The same, from either file.
std::vector<tasks::Task> read_compute_eval(const std::filesystem::path& path);

}  // namespace cuset::benchmarks
