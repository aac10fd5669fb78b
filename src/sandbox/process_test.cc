#include "sandbox/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::sandbox {
namespace {

using std::chrono::milliseconds;

// Whether a killed process is gone, or a zombie that waits for its new parent. A kill takes effect a little
// later.
bool ends(pid_t process) {
  const std::filesystem::path stat = "/proc/" + std::to_string(process) + "/stat";
  for (int attempt = 0; attempt < 5000; ++attempt) {
    std::error_code gone;
    if (!std::filesystem::exists(stat, gone)) return true;
    try {
      if (base::read_file(stat).find(") Z ") != std::string::npos) return true;
    } catch (const base::Error&) {
      return true;  // it went between the two looks
    }
    ::usleep(1000);
  }
  return false;
}

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

TEST(Process, InputIsReadAndErrorsAreToldApart) {
  const std::string large(300'000, 'x');
  const ProcessResult result = run_process({"sh", "-c", "cat; head -c 200000 /dev/zero >&2"},
                                           {.input = large + "\n", .errors_apart = true});
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.output, large + "\n");
  EXPECT_EQ(result.errors.size(), 200'000u);
  EXPECT_TRUE(run_process({"true"}, {.input = large}).succeeded()) << "nobody has to read it";
  EXPECT_EQ(run_process({"cat"}).output, "") << "without input there is nothing to wait for";
}

TEST(Process, SignalIsReported) { EXPECT_EQ(run_process({"sh", "-c", "kill -SEGV $$"}).signal, SIGSEGV); }

TEST(Process, TimeLimitKillsTheWholeGroup) {
  const ProcessResult result =
      run_process({"sh", "-c", "sleep 1000 & echo $!; wait"}, {.time_limit = milliseconds(200)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(ends(std::stoi(result.output))) << "process " << result.output;
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
}  // namespace cuset::sandbox
