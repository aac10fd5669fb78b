// A program that runs beside this one, with its output in a log file.
//
// It has a process group of its own, so that Ctrl-C on the terminal reaches only the study, which passes the
// signal on once; where the study itself is killed, the kernel sends SIGTERM.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuset::study {

class StartedJob {
 public:
  // Starts `program` with `arguments` after its name; standard output and error are appended to `log`.
  // Throws Error where the log cannot be opened or the system has no process left.
  StartedJob(const std::filesystem::path& program, const std::vector<std::string>& arguments,
             const std::filesystem::path& log);
  // Kills a program that still runs.
  ~StartedJob();
  StartedJob(StartedJob&& other) noexcept;
  StartedJob& operator=(StartedJob&&) = delete;

  // The exit status, or 128 and the number of the signal that ended it; nothing while it runs.
  std::optional<int> ended();
  void signal(int number) const;
  double seconds() const;

 private:
  pid_t process_ = -1;
  std::chrono::steady_clock::time_point start_;
};

// The last lines of a log, each with an indent; empty where there is no log.
std::string tail_of_log(const std::filesystem::path& log, size_t lines = 12);

}  // namespace cuset::study
