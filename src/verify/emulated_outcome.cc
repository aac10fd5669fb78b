#include "verify/emulated_outcome.h"

#include <string.h>

#include <algorithm>

#include "base/human_readable.h"
#include "verify/cuda_errors.h"

namespace cuset {
namespace {

constexpr int kUnsupportedStatus = 87;  // what the emulator's runtime ends with

std::string signal_text(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

const KernelLaunches* failed_kernel(const RunRecord& record) {
  const auto failed = std::find_if(record.kernels.begin(), record.kernels.end(),
                                   [](const KernelLaunches& kernel) { return kernel.failed > 0; });
  return failed == record.kernels.end() ? nullptr : &*failed;
}

bool launch_failed(const RunRecord& record) { return record.device_error != 0 || failed_kernel(record) != nullptr; }

std::string explain_launch(const RunRecord& record) {
  const int code = record.device_error != 0 ? record.device_error : record.first_error;
  const KernelLaunches* kernel = failed_kernel(record);
  const std::string meaning = cuda_error_meaning(code);
  return fmt::format("{} ({}){}", meaning.empty() ? cuda_error_name(code) : meaning, code,
                     kernel == nullptr ? "" : " in " + kernel->name);
}

// Of a program that ended by itself, with a status or a signal of its own making.
void judge_own_ending(const SandboxResult& process, const RunRecord& record, Run& run) {
  const bool exited = process.ending == Ending::kExited;
  const RunFinding* unsupported = find_finding(record.findings, "unsupported");
  if (exited && process.exit_status == kUnsupportedStatus && unsupported != nullptr) {
    run.outcome = Run::Outcome::kUnsupported;
    run.explanation = unsupported->text;
  } else if (launch_failed(record)) {
    run.outcome = Run::Outcome::kLaunchError;
    run.explanation = explain_launch(record);
  } else if (!exited) {
    run.outcome = Run::Outcome::kCrash;
    run.explanation = "killed by " + signal_text(process.signal);
  } else if (process.exit_status != 0) {
    const bool memory = kind_of_cuda_error(record.first_error) == CudaErrorKind::kMemory;
    run.outcome = memory ? Run::Outcome::kOutOfMemory : Run::Outcome::kFailed;
    run.explanation = fmt::format("exit status {}{}", process.exit_status, memory ? ", device memory ran out" : "");
  } else {
    run.outcome = Run::Outcome::kDone;
    run.explanation = "exit status 0";
  }
}

}  // namespace

Run judge_emulated_run(const SandboxResult& process, const RunRecord& record, const SandboxLimits& limits) {
  Run run;
  run.process = process;
  run.cuda_error = record.first_error;
  run.kernels = record.kernels;
  run.findings = record.findings;
  switch (process.ending) {
    case Ending::kExited:
    case Ending::kSignalled:
      judge_own_ending(process, record, run);
      break;
    case Ending::kWallTime:
    case Ending::kCpuTime:
      run.outcome = Run::Outcome::kTimeout;
      run.explanation = "killed at the time limit";
      break;
    case Ending::kMemory:
      run.outcome = Run::Outcome::kOutOfMemory;
      run.explanation = fmt::format("killed at the memory limit of {}", human_bytes(limits.memory));
      break;
    case Ending::kOutput:
      run.outcome = Run::Outcome::kTooMuchOutput;
      run.explanation = fmt::format("killed at {} of output", human_bytes(process.output_bytes));
      break;
    case Ending::kInterrupted:
      run.outcome = Run::Outcome::kInterrupted;
      run.explanation = "interrupted: the program was killed";
      break;
    case Ending::kNotStarted:
      run.outcome = Run::Outcome::kCrash;
      run.explanation = "the program could not be started: " + process.reason;
      break;
  }
  return run;
}

}  // namespace cuset
