// Judges one answer: compile, run on several fresh inputs, compare, prove that its kernel did the work.
// docs/verdicts.md has the rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "verify/execute/executor.h"
#include "verify/judge/verdict.h"
#include "verify/tasks/task.h"

namespace cuset {

// How kernels that do nothing are had for rule 5. By a switch in the kernels, the answer is built once; what
// comes out right then, or could not be tried, is settled by a build without kernels.
enum class IdleKernels {
  kInTrialProcess,  // the switch is turned for one more run in the process of the trials
  kInOwnProcess,  // the switch is turned for a process of its own, which is to the answer like any first run
  kInOwnBuild,    // no switch
};

struct JudgeSettings {
  uint64_t seed = 0;
  int trials = 5;
  bool timing = false;  // of correct answers; the GPU executor only
  int timing_rounds = 10;
  // Unset: in the process of the trials on a GPU, where a process costs most, else in its own.
  std::optional<IdleKernels> idle;
  bool check = false;                // CPU executor: run once more with the emulator's checks
  bool judge_with_nvcc = false;      // CPU executor: "compiles" means that nvcc says so
  uint64_t data_limit = 4ull << 30;  // bytes of inputs and outputs of one trial; beyond: kUnsupported
  SandboxLimits run_limits;
  Confinement confinement = Confinement::kFull;  // of Python processes; programs have the executor's
};

// Thrown out of a judgement that was cut short by an interrupt (base/interrupt.h): there is no verdict.
struct JudgeInterrupted {};

class Judge {
 public:
  Judge(Executor& executor, const JudgeSettings& settings);
  ~Judge();

  // Safe to call from many threads. `answer` is the model's text. Throws Error only where the machine fails
  // (sandbox, disk); everything an answer does is a verdict. The expected outputs of a task are made once.
  Verdict judge(const Task& task, const std::string& answer);

  // Lets go of what is kept for `task`: its inputs and expected outputs.
  void forget(const Task& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuset
