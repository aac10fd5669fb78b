// Asks of every task whether a verdict on it means something: answers that do no work must fail, and so must
// wrong versions of the reference. docs/verify.md.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "judge/judge.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

struct AuditOptions {
  size_t mutants_per_kind = 1;
  bool controls = true;
  bool mutants = true;
};

struct AuditedAnswer {
  std::string name;  // "zeros", "constant", "identity", "stale", "nothing", "reference", or a mutant's kind
  std::string description;  // of a mutant: what was changed, with its line
  Outcome outcome = Outcome::kNoCode;
  std::string explanation;
  // On every trial no further from the expected outputs than the reference itself (twice its distance, where
  // sums in changing order give it one): no judgement by outputs can tell the two apart.
  bool same_as_reference = false;
};

struct TaskAudit {
  std::string task;
  std::vector<AuditedAnswer> answers;
  bool reference_correct = true;
  std::vector<std::string> passed_controls;  // judged correct; `identity` not where copying is the task
  std::vector<std::string> survivors;        // mutants that were judged correct with other outputs
  std::vector<std::string> equivalent;       // mutants that changed no output on any trial
  // The first that applies:
  //   unjudged  there is neither a reference nor a control of this kind, or the executor cannot run it
  //   faulty    the reference is not correct, or gives no expected output
  //   vacuous   an answer that does no work is correct
  //   lax       a mutant with other outputs is correct
  //   good
  std::string mark;
};

// Judges the controls, the reference and its mutants under the same rules as any answer.
TaskAudit audit_task(Judge& judge, const tasks::Task& task, const AuditOptions& options);
base::Json json_of(const TaskAudit& audit);

}  // namespace cuset::judge
