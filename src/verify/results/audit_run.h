// Audits many tasks, several at a time: audit.jsonl of the folder holds one line a task, appended as they
// come, and a later call goes on where an earlier one stopped.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "verify/audit/audit.h"

namespace cuset {

struct AuditPlan {
  std::filesystem::path folder;
  std::vector<Task> tasks;
  std::vector<std::string> chosen;  // ids of the tasks to audit
  int workers = 0;                  // tasks audited at the same time; 0: one per core
  JudgeSettings judge;
  AuditOptions options;
  Json about;  // an object: what else run.json says
};

struct AuditProgress {
  size_t done = 0;  // with those of earlier runs
  size_t total = 0;
};

// json_of(TaskAudit) of every chosen task that is done, in the order of the tasks. An interrupt ends it
// early. `tell` is called by one thread at a time, first with what earlier calls have done. Throws Error
// where the folder belongs to another plan.
std::vector<Json> audit_all(const AuditPlan& plan, Executor& executor,
                            const std::function<void(const AuditProgress&)>& tell);

}  // namespace cuset
