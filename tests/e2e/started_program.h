// The cuset program running beside the test, which may send it signals. Standard output and error go to a
// file.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "e2e/program.h"

namespace cuset::tests {

class StartedProgram {
 public:
  // `environment` is what env(1) takes: NAME=value texts that are added to the test's own, --unset=NAME
  // before.
  StartedProgram(std::vector<std::string> arguments, std::filesystem::path output,
                 const std::vector<std::string>& environment = {})
      : output_(std::move(output)) {
    arguments.insert(arguments.begin(), CUSET_PROGRAM);
    arguments.insert(arguments.begin(), environment.begin(), environment.end());
    arguments.insert(arguments.begin(), "env");
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execvp("env", words.data());
    _exit(127);
  }

  ~StartedProgram() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    wait();
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  void signal(int number) const { kill(pid_, number); }
  pid_t pid() const { return pid_; }

  // The exit status, or 128 and the number of the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  bool is_running() const {
    siginfo_t ended{};
    return waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
  }

  // Waits until `file` is there and not empty; false where the program ends before, or takes too long.
  bool wait_for(const std::filesystem::path& file) const {
    const auto end = std::chrono::steady_clock::now() + kTooLong;
    while (std::chrono::steady_clock::now() < end) {
      std::error_code missing;
      if (std::filesystem::file_size(file, missing) > 0 && !missing) return true;
      if (!is_running()) return false;
      usleep(10'000);
    }
    return false;
  }

  std::string output() const { return base::read_file(output_); }

 private:
  std::filesystem::path output_;
  pid_t pid_ = -1;
};

}  // namespace cuset::tests
