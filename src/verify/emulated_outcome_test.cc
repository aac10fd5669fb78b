#include "verify/emulated_outcome.h"

#include <gtest/gtest.h>

#include <csignal>

namespace cuset {
namespace {

using Outcome = Run::Outcome;

SandboxResult exited(int status) {
  SandboxResult process;
  process.ending = Ending::kExited;
  process.exit_status = status;
  return process;
}

SandboxResult ended(Ending ending) {
  SandboxResult process;
  process.ending = ending;
  process.signal = ending == Ending::kSignalled ? SIGSEGV : 0;
  return process;
}

RunRecord unsupported_record() {
  RunRecord record;
  RunFinding finding{};
  finding.kind = "unsupported";
  finding.text = "cudaGraphLaunch";
  record.findings.push_back(finding);
  return record;
}

RunRecord failed_record(int device_error) {
  RunRecord record;
  record.first_error = 700;
  record.device_error = device_error;
  KernelLaunches kernel{};
  kernel.name = "saxpy";
  kernel.launches = 1;
  kernel.failed = 1;
  record.kernels.push_back(kernel);
  return record;
}

TEST(EmulatedOutcome, OwnEndings) {
  const SandboxLimits limits;
  EXPECT_EQ(judge_emulated_run(exited(0), {}, limits).outcome, Outcome::kDone);
  const auto failed = judge_emulated_run(exited(3), {}, limits);
  EXPECT_EQ(failed.outcome, Outcome::kFailed);
  EXPECT_EQ(failed.explanation, "exit status 3");
  const auto crashed = judge_emulated_run(ended(Ending::kSignalled), {}, limits);
  EXPECT_EQ(crashed.outcome, Outcome::kCrash);
  EXPECT_EQ(crashed.explanation, "killed by SIGSEGV");
}

TEST(EmulatedOutcome, LimitsHaveOutcomesOfTheirOwn) {
  const SandboxLimits limits;
  EXPECT_EQ(judge_emulated_run(ended(Ending::kWallTime), {}, limits).outcome, Outcome::kTimeout);
  EXPECT_EQ(judge_emulated_run(ended(Ending::kCpuTime), {}, limits).outcome, Outcome::kTimeout);
  EXPECT_EQ(judge_emulated_run(ended(Ending::kOutput), {}, limits).outcome, Outcome::kTooMuchOutput);
  EXPECT_EQ(judge_emulated_run(ended(Ending::kInterrupted), {}, limits).outcome, Outcome::kInterrupted);
  const auto memory = judge_emulated_run(ended(Ending::kMemory), {}, limits);
  EXPECT_EQ(memory.outcome, Outcome::kOutOfMemory);
  EXPECT_EQ(memory.explanation, "killed at the memory limit of 4.00 GiB");
}

TEST(EmulatedOutcome, AFailedLaunchCountsWhateverTheStatus) {
  for (const SandboxResult& process : {exited(0), exited(1), ended(Ending::kSignalled)}) {
    const auto run = judge_emulated_run(process, failed_record(700), {});
    EXPECT_EQ(run.outcome, Outcome::kLaunchError);
    EXPECT_EQ(run.explanation, "an illegal memory access was encountered (700) in saxpy");
    EXPECT_EQ(run.cuda_error, 700);
  }
  EXPECT_EQ(judge_emulated_run(exited(0), failed_record(0), {}).outcome, Outcome::kLaunchError);
}

TEST(EmulatedOutcome, ErrorsOfCallsAreTheProgramsOwnBusiness) {
  RunRecord record;
  record.first_error = 1;
  EXPECT_EQ(judge_emulated_run(exited(0), record, {}).outcome, Outcome::kDone);
  EXPECT_EQ(judge_emulated_run(exited(1), record, {}).outcome, Outcome::kFailed);
  record.first_error = 2;
  EXPECT_EQ(judge_emulated_run(exited(1), record, {}).outcome, Outcome::kOutOfMemory);
}

TEST(EmulatedOutcome, UnsupportedNeedsTheRuntimesWord) {
  const auto run = judge_emulated_run(exited(87), unsupported_record(), {});
  EXPECT_EQ(run.outcome, Outcome::kUnsupported);
  EXPECT_EQ(run.explanation, "cudaGraphLaunch");
  EXPECT_EQ(judge_emulated_run(exited(87), {}, {}).outcome, Outcome::kFailed);
  EXPECT_EQ(judge_emulated_run(exited(0), unsupported_record(), {}).outcome, Outcome::kDone);
}

}  // namespace
}  // namespace cuset
