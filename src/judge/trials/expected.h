// The inputs and expected outputs of every trial of a task, computed once per task by its oracle, in processes
// that run no answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execute/executor.h"
#include "judge/scripts/task_scripts.h"
#include "judge/trials/proof_inputs.h"
#include "judge/trials/tolerance.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/inputs.h"
#include "tasks/task.h"

namespace cuset::judge {

struct ExpectedTrial {
  tasks::Variation variation = tasks::Variation::kPlain;
  std::vector<tasks::Array> inputs;
  std::vector<tasks::Array> outputs;
  std::vector<tasks::Tolerance> tolerances;  // one for each output
  double rest = 0;  // kPeak: the outputs without the peak, of those with it (peak_trials.h)
};

struct Expected {
  std::vector<ExpectedTrial> trials;       // the first is plain
  std::vector<tasks::Tolerance> demanded;  // of each output: the task's own, or its comparison script's
  Outcome outcome = Outcome::kCorrect;  // kFaultyTask or kUnsupported: there are none, `explanation` says why
  std::string explanation;
  double reference_seconds = 0;  // of one run of the reference program; 0 for native oracles
  std::shared_ptr<ProofInputsOnce> proof = std::make_shared<ProofInputsOnce>();
};

// Never throws for what the task's own program or script does.
Expected make_expected(execute::Executor& executor, const JudgeSettings& settings, TaskScripts& scripts,
                       const tasks::Task& task);

}  // namespace cuset::judge
