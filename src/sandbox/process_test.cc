#include "sandbox/process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "base/file.h"

namespace cuset {
namespace {

using std::chrono::milliseconds;

TEST(Process, CapturesOutputAndStatus) {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_FALSE(result.succeeded());
}

TEST(Process, ArgumentsReachTheProgramUnchanged) {
  EXPECT_EQ(run_process({"printf", "%s|", "a b", "$HOME", "*"}).output, "a b|$HOME|*|");
}

TEST(Process, MissingProgramIsAValue) {
  const ProcessResult result = run_process({"no-such-program-here"});
  EXPECT_FALSE(result.started);
  EXPECT_FALSE(result.succeeded());
}

TEST(Process, SignalIsReported) { EXPECT_EQ(run_process({"sh", "-c", "kill -SEGV $$"}).signal, SIGSEGV); }

TEST(Process, TimeLimitKillsTheWholeGroup) {
  const ProcessResult result =
      run_process({"sh", "-c", "sleep 1000 & echo $!; wait"}, {.time_limit = milliseconds(200)});
  EXPECT_TRUE(result.timed_out);
  const std::filesystem::path grandchild = "/proc/" + std::to_string(std::stoi(result.output)) + "/stat";
  // A killed process may stay a zombie until its new parent collects it; it must not run.
  if (std::filesystem::exists(grandchild)) {
    EXPECT_NE(read_file(grandchild).find(") Z "), std::string::npos);
  }
}

TEST(Process, TimeLimitHoldsWhenOutputIsClosed) {
  const ProcessResult result =
      run_process({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, {.time_limit = milliseconds(200)});
  EXPECT_TRUE(result.timed_out);
}

TEST(Process, OutputBeyondTheLimitIsCut) {
  const ProcessResult result = run_process({"sh", "-c", "head -c 100000 /dev/zero"}, {.output_limit = 1000});
  EXPECT_EQ(result.output.size(), 1000u);
  EXPECT_TRUE(result.succeeded());
}

}  // namespace
}  // namespace cuset
