// How answers are judged. Apart from the judge itself, so that every step can take the settings.
#pragma once

#include <cstdint>
#include <optional>

#include "sandbox/sandbox.h"

namespace cuset::judge {

struct JudgeSettings {
  uint64_t seed = 0;
  int trials = 5;       // and two at the edges of the inputs' domains, unless it is one
  bool timing = false;  // of correct answers; the GPU executor only
  int timing_rounds = 10;
  bool compiled_baseline = false;  // modules of PyTorch: the reference is timed under torch.compile as well
  bool check = true;               // with the emulator's checks, where Executor::checking_executor() is there
  bool lenient = false;            // what the checks find is listed and decides nothing
  bool judge_with_nvcc = false;    // CPU executor: "compiles" means that nvcc says so
  // Seconds of all runs of one answer together, timing aside; more where the reference is slow. Beyond: kTimeout.
  double answer_seconds = 120;
  uint64_t data_limit = 4ull << 30;  // bytes of inputs and outputs of one trial; beyond: kUnsupported
  sandbox::SandboxLimits run_limits;
  sandbox::Confinement confinement =
      sandbox::Confinement::kFull;  // of Python processes; programs have the executor's
};

// Thrown when an interrupt (base/interrupt.h) cuts a judgement short: there is no verdict.
struct JudgeInterrupted {};

}  // namespace cuset::judge
