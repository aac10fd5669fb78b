// An answer to a task, and which task it belongs to where its file says so in its own way.
//
// An answer's `task` is a task's id, or what generators make of it: a "/" written as "_" or "-" because it is
// part of a file's name, or the last part of the id alone ("15" for "cudabench/15") where no other id ends
// so. A file "scan_2.cu" is sample 2 of "scan", unless a task is called "scan_2".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace cuset::tasks {

struct Answer {
  std::string task;               // the task's id
  uint32_t sample = 0;            // counted from 0 within the task
  std::string text;               // as the model gave it: prose, fences, reasoning and all
  int64_t tokens = -1;            // generated; -1: unknown
  std::string place;              // "file:line"
  int64_t reasoning_tokens = -1;  // of `tokens`, those of its reasoning; -1: unknown
};

// Gives every answer its task's id. Throws Error naming the first answer whose task is unknown, with the
// nearest id, or two answers that turn out to be the same sample.
void match_answers(std::vector<Answer>& answers, std::span<const Task> tasks);

}  // namespace cuset::tasks
