// The words in which a task is asked, at three levels of detail. A prompt is made of parts (what to compute,
// files, formula, notes, how threads share the work), each in one of many wordings, in one of several orders
// and layouts.
#pragma once

#include <vector>

#include "base/stats/random.h"
#include "tasks/task.h"

namespace cuset::gym {

struct GymTask;

// One prompt of each level: "1" has the operation, files, types, shapes, formula and how threads of the
// wished solution share the work; "2" leaves the threads out, "3" the formula too, where the
// operation is known by name. Each says every value that decides the result.
std::vector<tasks::Prompt> write_prompts(const GymTask& task, const base::RandomStream& stream);

}  // namespace cuset::gym
