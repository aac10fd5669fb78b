// Which task an answer belongs to, where its file says it in its own way.
//
// An answer's `task` is a task's id, or what generators make of it: a "/" written as "_" or "-" because it is
// part of a file's name, or the last part of the id alone ("15" for "cudabench/15") where no other id ends
// so. A file "scan_2.cu" is sample 2 of "scan", unless a task is called "scan_2".
#pragma once

#include <span>
#include <vector>

#include "verify/benchmarks/answer_reader.h"
#include "verify/tasks/task.h"

namespace cuset {

// Gives every answer its task's id. Throws Error naming the first answer whose task is unknown, with the
// nearest id, or two answers that turn out to be the same sample.
void match_answers(std::vector<Answer>& answers, std::span<const Task> tasks);

}  // namespace cuset
