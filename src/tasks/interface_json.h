// How an answer meets the judge, in the JSONL form of tasks: the declared function, or the benchmark's tests.
#pragma once

#include <set>
#include <string>

#include "base/json/json_cursor.h"
#include "tasks/task.h"

namespace cuset::tasks {

// `task` gives the inputs and outputs that the parameters name. Every output must be a parameter. Throws
// Error for what CUDA would not launch.
FunctionInterface function_from_json(const base::JsonCursor& field, const Task& task);
base::Json json_of(const FunctionInterface& function);

// Paths must stay inside the folder. Throws Error for others.
TestBuild tests_from_json(const base::JsonCursor& field);
base::Json json_of(const TestBuild& tests);

// The C++ type of one element on the device: "float", "__half", "unsigned char".
std::string_view element_type(NumberType type);

}  // namespace cuset::tasks
