// Writes the tasks of a source, and their references, to files.
#pragma once

#include <filesystem>

#include "base/machine/worker_pool.h"
#include "gym/task_source.h"

namespace cuset::gym {

struct TaskFiles {
  std::filesystem::path tasks;
  std::filesystem::path answers;  // empty: none
};

struct TaskWriteResult {
  bool done = false;    // false: interrupted, no file is changed
  size_t repeated = 0;  // tasks whose signature occurs before: their family has no more
};

// No two tasks compute the same, as far as their families reach. Throws Error where a file cannot be written.
TaskWriteResult write_task_files(const TaskSource& source, const base::OrderedWork& work,
                                 const TaskFiles& files);

}  // namespace cuset::gym
