// The text of compute-eval's problems.jsonl as tasks; read_compute_eval (task_reader.h) reads it from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/tasks/task.h"

namespace cuset {

// Throws Error that opens with `name` and the line. A problem whose commands cannot be followed is a task
// with a fault.
std::vector<Task> parse_compute_eval(std::string_view problems, const std::string& name);

}  // namespace cuset
