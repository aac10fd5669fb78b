#include "execute/record/run_outcome.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "base/human_readable.h"
#include "execute/record/cuda_errors.h"

namespace cuset::execute {
namespace {

// "an illegal memory access was encountered (700)"
std::string words(int cuda_error) {
  const std::string meaning = cuda_error_meaning(cuda_error);
  return meaning.empty() ? cuda_error_name(cuda_error) : fmt::format("{} ({})", meaning, cuda_error);
}

std::string in_kernel(const std::string& kernel) { return kernel.empty() ? "" : " in " + kernel; }

std::string signal_words(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

std::string fault_words(const RunRecord& record) {
  const RunFinding* fault = find_finding(record.findings, "device_fault");
  return words(record.device_error) + in_kernel(fault == nullptr ? "" : fault->kernel);
}

const KernelLaunches* refused_kernel(const RunRecord& record) {
  const auto found = std::find_if(record.kernels.begin(), record.kernels.end(),
                                  [](const KernelLaunches& kernel) { return kernel.failed > 0; });
  return found == record.kernels.end() ? nullptr : &*found;
}

struct Judgement {
  Run::Outcome outcome;
  std::string explanation;
};

Judgement judge_killed(const sandbox::SandboxResult& process, const sandbox::SandboxLimits& limits) {
  const double seconds = std::chrono::duration<double>(limits.wall_time).count();
  switch (process.ending) {
    case sandbox::Ending::kWallTime:
      return {Run::Outcome::kTimeout, fmt::format("killed after {}", base::human_duration(seconds))};
    case sandbox::Ending::kCpuTime:
      return {Run::Outcome::kTimeout,
              fmt::format("killed after {} of processor time", base::human_duration(process.cpu_seconds))};
    case sandbox::Ending::kMemory:
      return {Run::Outcome::kOutOfMemory,
              fmt::format("used more than {} of memory", base::human_bytes(limits.memory))};
    case sandbox::Ending::kOutput:
      return {Run::Outcome::kTooMuchOutput,
              fmt::format("wrote more than {} of output", base::human_bytes(limits.output_kill))};
    case sandbox::Ending::kInterrupted:
      return {Run::Outcome::kInterrupted, "interrupted"};
    default:
      return {Run::Outcome::kFailed, fmt::format("could not be started: {}", process.reason)};
  }
}

// A program that ended by itself, by exiting or by a signal of its own making.
Judgement judge_ended(const sandbox::SandboxResult& process, const RunRecord& record) {
  const bool succeeded = process.succeeded();
  if (record.device_error != 0) return {Run::Outcome::kLaunchError, fault_words(record)};
  const CudaErrorKind kind = kind_of_cuda_error(record.first_error);
  const KernelLaunches* refused = refused_kernel(record);
  const bool handled = succeeded && find_finding(record.findings, "error_seen") != nullptr;
  if ((refused != nullptr || kind == CudaErrorKind::kLaunch) && !handled) {
    const std::string kernel = refused == nullptr ? "" : refused->name;
    return {Run::Outcome::kLaunchError, words(record.first_error) + in_kernel(kernel)};
  }
  if (succeeded) return {Run::Outcome::kDone, ""};
  if (kind == CudaErrorKind::kMemory)
    return {Run::Outcome::kOutOfMemory, "GPU memory exhausted: " + words(2)};
  const std::string after = record.first_error == 0 ? "" : " after CUDA error: " + words(record.first_error);
  if (process.ending == sandbox::Ending::kSignalled) {
    return {Run::Outcome::kCrash, fmt::format("crashed with {}{}", signal_words(process.signal), after)};
  }
  return {Run::Outcome::kFailed, fmt::format("exit status {}{}", process.exit_status, after)};
}

}  // namespace

Run classify_run(sandbox::SandboxResult process, RunRecord record, const sandbox::SandboxLimits& limits) {
  const bool by_itself =
      process.ending == sandbox::Ending::kExited || process.ending == sandbox::Ending::kSignalled;
  Judgement judgement = by_itself ? judge_ended(process, record) : judge_killed(process, limits);
  Run run;
  run.outcome = judgement.outcome;
  run.explanation = std::move(judgement.explanation);
  run.cuda_error = record.first_error;
  run.kernels = std::move(record.kernels);
  run.findings = std::move(record.findings);
  std::erase_if(run.findings, [](const RunFinding& finding) { return finding.kind == "error_seen"; });
  run.process = std::move(process);
  return run;
}

bool leaves_doubt(const Run& run) {
  const sandbox::Ending ending = run.process.ending;
  const bool killed = ending != sandbox::Ending::kExited && ending != sandbox::Ending::kSignalled &&
                      ending != sandbox::Ending::kNotStarted;
  return killed || kind_of_cuda_error(run.cuda_error) == CudaErrorKind::kNoDevice || run.cuda_error == 999;
}

}  // namespace cuset::execute
