// Asks of every task whether a verdict on it means something: answers that do no work must fail, and so must
// wrong versions of the reference. docs/audit.md.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "verify/judge/judge.h"
#include "verify/judge/verdict.h"
#include "verify/tasks/task.h"

namespace cuset {

struct AuditOptions {
  size_t mutants_per_kind = 1;
  bool controls = true;
  bool mutants = true;
};

struct AuditedAnswer {
  std::string name;  // "zeros", "constant", "identity", "stale", "nothing", "reference", or a mutant's kind
  std::string description;  // of a mutant: what was changed, with its line
  Word word = Word::kNoCode;
  std::string explanation;
};

struct TaskAudit {
  std::string task;
  std::vector<AuditedAnswer> answers;
  bool reference_correct = true;
  std::vector<std::string> passed_controls;  // names of the controls that were judged correct
  std::vector<std::string> survivors;        // descriptions of mutants that were judged correct
  std::string mark;                          // one word: "good", "vacuous", "lax", "faulty", "unjudged"
};

// Judges the controls, the reference and its mutants under the same rules as any answer.
TaskAudit audit_task(Judge& judge, const Task& task, const AuditOptions& options);
Json json_of(const TaskAudit& audit);

}  // namespace cuset
