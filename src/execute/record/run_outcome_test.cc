#include "execute/record/run_outcome.h"

#include <gtest/gtest.h>

#include <csignal>

namespace cuset::execute {
namespace {

sandbox::SandboxResult exited(int status) {
  sandbox::SandboxResult result;
  result.ending = sandbox::Ending::kExited;
  result.exit_status = status;
  return result;
}

sandbox::SandboxResult ended(sandbox::Ending ending) {
  sandbox::SandboxResult result;
  result.ending = ending;
  return result;
}

sandbox::SandboxResult signalled(int signal) {
  sandbox::SandboxResult result = ended(sandbox::Ending::kSignalled);
  result.signal = signal;
  return result;
}

RunFinding finding(const char* kind, const char* kernel) {
  RunFinding one{};
  one.kind = kind;
  one.kernel = kernel;
  return one;
}

RunRecord recorded(int first_error, int device_error = 0) {
  RunRecord record;
  record.state = RunRecord::State::kWhole;
  record.first_error = first_error;
  record.device_error = device_error;
  return record;
}

RunRecord refused() {
  RunRecord record = recorded(9);
  KernelLaunches kernel{};
  kernel.name = "saxpy";
  kernel.failed = 1;
  record.kernels.push_back(kernel);
  return record;
}

sandbox::SandboxLimits limits() {
  sandbox::SandboxLimits limits;
  limits.wall_time = std::chrono::seconds(10);
  return limits;
}

std::string judged(const sandbox::SandboxResult& process, const RunRecord& record) {
  static constexpr const char* kNames[] = {"done",    "failed",     "launch_error",    "crash",
                                           "timeout", "memory",     "too_much_output", "unsupported",
                                           "lost",    "interrupted"};
  const Run run = classify_run(process, record, limits());
  return fmt::format("{}: {}", kNames[static_cast<int>(run.outcome)], run.explanation);
}

TEST(RunOutcome, ProcessesThatWereKilled) {
  EXPECT_EQ(judged(ended(sandbox::Ending::kWallTime), {}), "timeout: killed after 10 s");
  EXPECT_EQ(judged(ended(sandbox::Ending::kCpuTime), {}).substr(0, 8), "timeout:");
  EXPECT_EQ(judged(ended(sandbox::Ending::kMemory), {}), "memory: used more than 4.00 GiB of memory");
  EXPECT_EQ(judged(ended(sandbox::Ending::kOutput), {}),
            "too_much_output: wrote more than 1.00 GiB of output");
  EXPECT_EQ(judged(ended(sandbox::Ending::kInterrupted), {}), "interrupted: interrupted");
}

TEST(RunOutcome, ProcessesThatEndedByThemselves) {
  EXPECT_EQ(judged(exited(0), {}), "done: ");
  EXPECT_EQ(judged(exited(3), {}), "failed: exit status 3");
  EXPECT_EQ(judged(exited(1), recorded(1)), "failed: exit status 1 after CUDA error: invalid argument (1)");
  EXPECT_EQ(judged(exited(0), recorded(1)), "done: ");
  EXPECT_EQ(judged(signalled(SIGSEGV), {}), "crash: crashed with SIGSEGV");
  EXPECT_EQ(judged(signalled(SIGABRT), recorded(400)),
            "crash: crashed with SIGABRT after CUDA error: invalid resource handle (400)");
}

TEST(RunOutcome, FaultsOfDeviceCodeCountWhateverTheProgramMadeOfThem) {
  RunRecord record = recorded(700, 700);
  record.findings.push_back(finding("device_fault", "saxpy"));
  for (const sandbox::SandboxResult& process : {exited(0), exited(1), signalled(SIGABRT)}) {
    EXPECT_EQ(judged(process, record),
              "launch_error: an illegal memory access was encountered (700) in saxpy");
  }
  EXPECT_EQ(judged(exited(0), recorded(716, 716)), "launch_error: misaligned address (716)");
}

TEST(RunOutcome, RefusedLaunchesCountUnlessTheProgramDealtWithThem) {
  EXPECT_EQ(judged(exited(0), refused()), "launch_error: invalid configuration argument (9) in saxpy");
  RunRecord seen = refused();
  seen.findings.push_back(finding("error_seen", ""));
  EXPECT_EQ(judged(exited(0), seen), "done: ");
  EXPECT_EQ(judged(exited(1), seen), "launch_error: invalid configuration argument (9) in saxpy");
  EXPECT_TRUE(classify_run(exited(0), seen, limits()).findings.empty());
}

TEST(RunOutcome, ExhaustedDeviceMemoryCountsIfTheProgramFailed) {
  EXPECT_EQ(judged(exited(1), recorded(2)), "memory: GPU memory exhausted: out of memory (2)");
  EXPECT_EQ(judged(signalled(SIGABRT), recorded(2)), "memory: GPU memory exhausted: out of memory (2)");
  EXPECT_EQ(judged(exited(0), recorded(2)), "done: ");
}

TEST(RunOutcome, DoubtAboutTheDeviceFollowsKillsAndMissingDevices) {
  EXPECT_TRUE(leaves_doubt(classify_run(ended(sandbox::Ending::kWallTime), {}, limits())));
  EXPECT_TRUE(leaves_doubt(classify_run(ended(sandbox::Ending::kMemory), {}, limits())));
  EXPECT_TRUE(leaves_doubt(classify_run(exited(1), recorded(100), limits())));
  EXPECT_FALSE(leaves_doubt(classify_run(exited(1), recorded(700, 700), limits())));
  EXPECT_FALSE(leaves_doubt(classify_run(signalled(SIGSEGV), {}, limits())));
  EXPECT_FALSE(leaves_doubt(classify_run(exited(0), {}, limits())));
}

}  // namespace
}  // namespace cuset::execute
