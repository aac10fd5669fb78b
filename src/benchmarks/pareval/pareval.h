// ParEval (docs/benchmarks.md): the checkout of its repository, with prompts and drivers.
#pragma once

#include <filesystem>
#include <vector>

#include "tasks/task.h"

namespace cuset::benchmarks {

// `path` is a checkout or its prompts file. Throws Error naming file and place.
std::vector<tasks::Task> read_pareval(const std::filesystem::path& path);

}  // namespace cuset::benchmarks
