// The words in which a task is asked, at three levels of detail.
#pragma once

#include <vector>

#include "base/random.h"
#include "verify/tasks/task.h"

namespace cuset {

struct GymTask;

// One prompt of each level: "1" names files, shapes, types, formula and how threads share the work; "2"
// leaves the threads out; "3" names the operation, files, types and shapes only. All say what decides the
// result.
std::vector<Prompt> write_prompts(const GymTask& task, const RandomStream& stream);

}  // namespace cuset
