// Audits many tasks, several at a time: audit.jsonl of the folder holds one line a task, appended as they
// come, and a later call resumes where an earlier one stopped.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "judge/audit/audit.h"

namespace cuset::judge {

struct AuditPlan {
  std::filesystem::path folder;
  std::vector<tasks::Task> tasks;
  std::vector<std::string> chosen;  // ids of the tasks to audit
  int workers = 0;                  // tasks audited at the same time; 0: one per core
  AuditOptions options;
  base::Json about;  // an object: what else run.json says
};

// json_of(TaskAudit) of every chosen task that is done, in the order of the tasks. An interrupt ends it
// early. `progress` counts tasks, begins with what earlier calls have done and is called by one thread at a
// time. Throws Error where the folder belongs to another plan.
std::vector<base::Json> audit_all(const AuditPlan& plan, Judge& judge, base::ProgressSink& progress);

}  // namespace cuset::judge
