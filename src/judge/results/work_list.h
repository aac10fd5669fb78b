// What there is to judge in a set of answers: equal programs for one task are judged once.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tasks/answer.h"
#include "tasks/task.h"

namespace cuset::judge {

// Equal for answers to a task that are judged alike.
std::string program_key(const tasks::Task& task, const std::string& text);

struct WorkItem {
  const tasks::Task* task = nullptr;
  std::vector<size_t> answers;  // indices; all with the same program, in the order given
};

// Task after task, so that what is kept for a task can be forgotten soon. Those with more data first, which
// take longest (begun last, one of them would keep the others waiting for it); else in the order in which
// they first appear. Throws Error for an answer whose task is not among `tasks`. The tasks must outlive the
// result.
std::vector<WorkItem> work_items_of(std::span<const tasks::Answer> answers,
                                    std::span<const tasks::Task> tasks);

}  // namespace cuset::judge
