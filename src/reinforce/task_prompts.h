// The prompts of tasks, as generation takes them.
#pragma once

#include <vector>

#include "generate/generation_prompts.h"
#include "tasks/task.h"

namespace cuset::reinforce {

// Every prompt of every task, in their order.
std::vector<generate::PlainPrompt> prompts_of_tasks(const std::vector<tasks::Task>& tasks);

}  // namespace cuset::reinforce
