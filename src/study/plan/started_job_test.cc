#include "study/plan/started_job.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::study {
namespace {

// Jobs that a shell does.
class StartedJobTest : public testing::Test {
 protected:
  StartedJob start(const std::string& line) const { return StartedJob("/bin/sh", {"-c", line}, log_); }

  static int wait_for(StartedJob& job) {
    for (int i = 0; i < 6000; ++i) {
      if (const std::optional<int> status = job.ended()) return *status;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }

  base::TemporaryFolder folder_;
  std::filesystem::path log_ = folder_ / "log";
};

TEST_F(StartedJobTest, OutputAndErrorsAreAppendedToTheLog) {
  StartedJob first = start("echo one; echo two >&2; exit 3");
  EXPECT_EQ(wait_for(first), 3);
  StartedJob second = start("echo three");
  EXPECT_EQ(wait_for(second), 0);
  EXPECT_EQ(base::read_file(log_), "one\ntwo\nthree\n");
}

TEST_F(StartedJobTest, ReadsNothingFromTheTerminal) {
  StartedJob job = start("cat; echo end");
  EXPECT_EQ(wait_for(job), 0);
  EXPECT_EQ(base::read_file(log_), "end\n");
}

TEST_F(StartedJobTest, PassesSignalsOn) {
  StartedJob job = start("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done");
  while (!std::filesystem::exists(log_) || base::read_file(log_).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(job.ended(), std::nullopt);
  job.signal(SIGTERM);
  EXPECT_EQ(wait_for(job), 7);
}

TEST_F(StartedJobTest, ASignalThatEndsItIsItsStatus) {
  StartedJob job = start("kill -KILL $$");
  EXPECT_EQ(wait_for(job), 128 + SIGKILL);
}

TEST_F(StartedJobTest, AProgramThatIsNotThereEndsWith127) {
  StartedJob job(folder_ / "missing", {}, log_);
  EXPECT_EQ(wait_for(job), 127);
  EXPECT_EQ(base::read_file(log_), "cannot start the program\n");
}

TEST_F(StartedJobTest, ALogThatCannotBeOpenedIsAnError) {
  EXPECT_THROW(StartedJob("/bin/sh", {"-c", "true"}, folder_ / "no/folder/log"), base::Error);
}

TEST_F(StartedJobTest, TailOfALogHasItsLastLines) {
  EXPECT_EQ(tail_of_log(log_), "");
  base::write_file_atomic(log_, "a\nb\nc\n");
  EXPECT_EQ(tail_of_log(log_, 2), "  b\n  c");
  EXPECT_EQ(tail_of_log(log_, 9), "  a\n  b\n  c");
}

}  // namespace
}  // namespace cuset::study
