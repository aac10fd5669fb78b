// Judges all answers of a file, several at a time, and keeps every verdict: killed at any moment and started
// again, it resumes where it stopped.
//
//   <folder>/run.json         what was asked: tasks, answers, executor, seed, trials, versions
//   <folder>/verdicts.jsonl   one verdict per line, appended as they are reached
//   <folder>/summary.json     written at the end, and again by every later run over the folder
#pragma once

#include <filesystem>
#include <vector>

#include "base/progress.h"
#include "judge/judge.h"
#include "judge/results/shared_work.h"
#include "tasks/answer.h"
#include "tasks/task.h"

namespace cuset::judge {

struct VerificationPlan {
  std::filesystem::path folder;
  std::vector<tasks::Task> tasks;
  std::vector<tasks::Answer> answers;
  int workers = 0;   // answers judged at the same time; 0: one per core
  base::Json about;  // an object: what else run.json says, as command and versions
};

// Returns all verdicts, old and new, in the order of the answers. Equal programs for one task are judged once,
// also across calls. An interrupt (base/interrupt.h) ends it early with what is done; the next call judges the
// rest. `progress` counts answers, begins with what earlier calls have done and is called by one thread at a
// time. Throws Error where the folder holds verdicts of another plan (other seed, executor, tasks, another
// text of an answer).
std::vector<Verdict> verify_all(const VerificationPlan& plan, Judge& judge, base::ProgressSink& progress);

struct Sharing {
  Crew& crew;
  base::Json identity;     // of plan_record.h
  base::Json plan;         // what helpers must agree to: the identity, and what else may not differ
  Judge* judge = nullptr;  // null: helpers judge everything
};

// verify_all with the work shared among processes, this one being the owner.
std::vector<Verdict> verify_shared(const VerificationPlan& plan, const Sharing& sharing,
                                   base::ProgressSink& progress);

}  // namespace cuset::judge
