// Float64 functions that give a task's expected outputs, by name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace cuset::tasks {

// Inputs in the task's order; gives the outputs in the task's order, computed in float64 from the inputs'
// exact values and returned as float64 (or int64 for whole-number outputs), in the outputs' shapes.
using NativeOracle = std::function<std::vector<Array>(const Task& task, const std::vector<Array>& inputs)>;

// Makes `oracle` known under `name`; called before any verification begins. A second one of that name is our
// own bug.
void register_oracle(const std::string& name, NativeOracle oracle);

// Throws Error naming task.place and the nearest known name.
const NativeOracle& oracle_named(const std::string& name, const Task& task);
std::vector<std::string> oracle_names();

}  // namespace cuset::tasks
