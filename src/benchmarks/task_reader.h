// Tasks from a file or folder of any known benchmark, recognized by content.
//
//   our own          JSONL of docs/tasks.md
//   CUDABench        JSONL rows with bench.cu, gen.py, compare.py
//   KernelBench      JSONL rows with level, name, code; or a folder of such .py files
//   ParEval          a checkout (prompts and drivers), or its prompts file within one
//   compute-eval     a tar.gz with problems.jsonl, or that file itself
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace cuset::benchmarks {

struct TaskFile {
  std::string benchmark;  // "cuset", "cudabench", "kernelbench", "pareval", "compute-eval"
  std::vector<tasks::Task> tasks;
};

// Throws Error naming file and place for what cannot be read or recognized; ids are unique in the result.
TaskFile read_tasks(const std::filesystem::path& path);

}  // namespace cuset::benchmarks
