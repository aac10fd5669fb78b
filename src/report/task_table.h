// Tasks with what each method made of them, from tasks.jsonl, answers.jsonl and verdicts.jsonl.
#pragma once

#include <cstddef>

#include "base/json/json.h"
#include "report/sources.h"

namespace cuset::report {

struct TaskTable {
  // {"words": ["correct", ...], "tasks": [{"id", "family", "results": [[word of each sample] per method]}],
  //  "left_out": n}. A word is an index, -1 where there is no verdict.
  base::Json overview;
  // [{"prompt", "answers": [[{"text", "tokens", "explanation", "messages", "wrong", "findings"}] per
  // method]}], in the order of overview["tasks"]; keys that are empty are left out.
  base::Json details;
  // [{"from": method, "to": method, "tasks": n, "value", "low", "high"}]: how function pass@1 differs, task
  // by task, with a 95 % interval from resampling tasks.
  base::Json differences;
};

inline constexpr size_t kMostTasks = 2000;
inline constexpr size_t kMostTextBytes = 32 << 10;    // of an answer or a prompt
inline constexpr size_t kMostMessageBytes = 4 << 10;  // of a compiler's messages

// Throws Error, with its place, for a line that cannot be read.
TaskTable read_task_table(const ReportSources& sources);

}  // namespace cuset::report
