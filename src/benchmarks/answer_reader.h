// Answers to judge, from any of the forms that generators write.
#pragma once

#include <filesystem>
#include <vector>

#include "tasks/answer.h"

namespace cuset::benchmarks {

// JSONL: ours ({"task", "sample", "text", "tokens"}), CUDABench's (id, task_name, code1..codeN),
// KernelBench-like ({"task"/"name"/"problem_id", "code"}), compute-eval's ({"task_id",
// "solutions"/"completion"/"files"}) or its tar.gz with solutions.jsonl, ParEval's JSON list with "outputs";
// or a folder of files named after the task's id (<id>.cu, <id>_<sample>.cu, .py). The first in the file
// comes first. Throws Error naming file and place.
std::vector<tasks::Answer> read_answers(const std::filesystem::path& path);

}  // namespace cuset::benchmarks
