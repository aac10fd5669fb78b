// The part of a prompt that names files, types and shapes.
#pragma once

#include <string>

#include "base/stats/random.h"
#include "tasks/task.h"

namespace cuset::gym {

// Sentences on one line, or a list with a line for each file.
std::string write_files(const tasks::Task& task, base::RandomStream& stream);

}  // namespace cuset::gym
