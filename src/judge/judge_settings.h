// How answers are judged. Apart from the judge itself, so that every step can take the settings.
#pragma once

#include <cstdint>
#include <optional>

#include "sandbox/sandbox.h"

namespace cuset::judge {

// How the no-op-kernel variant of rule 7 is produced. With a switch in the kernels the answer is built once;
// where its outputs are then right, or it could not be tried, a build without kernels decides.
enum class NoopKernels {
  kInTrialProcess,  // the switch is turned on for one more run in the process of the trials
  kInOwnProcess,    // the switch is turned on for a separate process, which looks like any first run
  kInOwnBuild,      // no switch
};

struct JudgeSettings {
  uint64_t seed = 0;
  int trials = 5;       // and two at the edges of the inputs' domains, unless it is one
  bool timing = false;  // of correct answers; the GPU executor only
  int timing_rounds = 10;
  bool compiled_baseline = false;  // modules of PyTorch: the reference is timed under torch.compile as well
  // Set: this is the proof of work, on any executor. Unset: in the process of the trials on a GPU, where a process costs most; elsewhere kernels are proven in a
  // process of their own (device_proof.h), and a build without kernels decides only where that is not possible.
  std::optional<NoopKernels> noop_kernels;
  bool check = true;             // CPU executor: run with the emulator's checks, too
  bool lenient = false;          // what the checks find is listed and decides nothing
  bool judge_with_nvcc = false;  // CPU executor: "compiles" means that nvcc says so
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
