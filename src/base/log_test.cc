#include "base/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::base {
namespace {

void log_every_level() {
  log_debug("a {}", 1);
  log_info("b {}", 2);
  log_warning("c {}", 3);
  log_error("d {}", "four");
}

std::string logged_at(LogLevel level) {
  set_log_level(level);
  testing::internal::CaptureStderr();
  log_every_level();
  set_log_level(LogLevel::kInfo);
  return testing::internal::GetCapturedStderr();
}

TEST(Log, LevelsChooseWhatIsPrinted) {
  EXPECT_EQ(logged_at(LogLevel::kDebug), "debug: a 1\nb 2\nwarning: c 3\nerror: d four\n");
  EXPECT_EQ(logged_at(LogLevel::kInfo), "b 2\nwarning: c 3\nerror: d four\n");
  EXPECT_EQ(logged_at(LogLevel::kWarning), "warning: c 3\nerror: d four\n");
  EXPECT_EQ(logged_at(LogLevel::kError), "error: d four\n");
  EXPECT_EQ(logged_at(LogLevel::kSilent), "");
}

TEST(Log, HostileTextCannotMoveTheCursor) {
  testing::internal::CaptureStderr();
  log_warning("{}", "\x1b[2Jgone\r{}");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: ?[2Jgone?{}\n");
}

TEST(Log, FileGetsDatedLinesFromInfoOn) {
  const TemporaryFolder folder;
  set_log_file(folder / "log");
  EXPECT_EQ(logged_at(LogLevel::kSilent), "");
  set_log_file("");
  logged_at(LogLevel::kInfo);
  std::string lines = read_file(folder / "log");
  std::replace_if(lines.begin(), lines.end(), [](char c) { return c >= '0' && c <= '9'; }, '9');
  const std::string date = "9999-99-99T99:99:99.999 ";
  EXPECT_EQ(lines, date + "b 9\n" + date + "warning: c 9\n" + date + "error: d four\n");
}

TEST(Log, FileThatCannotBeOpenedIsAnError) { EXPECT_THROW(set_log_file("/proc/none/log"), Error); }

// What a warning looks like on a terminal, made with a pseudo-terminal in a child process.
std::string warning_on_terminal(const char* no_color) {
  const FileDescriptor master(::posix_openpt(O_RDWR | O_NOCTTY));
  if (!master.is_open() || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0)
    return "no terminal";
  const FileDescriptor slave(::open(::ptsname(master.get()), O_RDWR | O_NOCTTY));
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(slave.get(), STDERR_FILENO);
    ::setenv("TERM", "xterm", 1);
    ::setenv("NO_COLOR", no_color, 1);
    log_warning("torn line");
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  char text[200];
  return {text, read_some(master.get(), text, sizeof text, "terminal")};
}

TEST(Log, ColorOnATerminalUnlessNoColorIsSet) {
  const std::string colored = warning_on_terminal("");
  if (colored == "no terminal") GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_EQ(colored, "\x1b[1;33mwarning: \x1b[0mtorn line\r\n");
  EXPECT_EQ(warning_on_terminal("1"), "warning: torn line\r\n");
}

}  // namespace
}  // namespace cuset::base
