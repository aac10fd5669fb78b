#include "study/plan/started_job.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "base/files/file.h"
#include "base/seconds_since.h"

namespace cuset::study {
namespace {

// Between fork and exec: system calls only.
[[noreturn]] void become(const char* program, char* const* words, int log, pid_t study) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != study) _exit(127);  // the study ended before the line above
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(program, words);
  constexpr char kMessage[] = "cannot start the program\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  _exit(127);
}

}  // namespace

StartedJob::StartedJob(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& log)
    : start_(std::chrono::steady_clock::now()) {
  std::vector<std::string> words = {"cuset"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const base::FileDescriptor file = base::open_file(log, O_WRONLY | O_CREAT | O_APPEND);
  const pid_t study = getpid();
  process_ = fork();
  if (process_ == 0) become(program.c_str(), pointers.data(), file.get(), study);
  if (process_ < 0) {
    throw base::Error("cannot start a process: {}", base::errno_text(errno))
        .with_remedy("close other programs, or raise the limit of processes (ulimit -u)");
  }
  setpgid(process_, process_);  // also here: whoever comes first
}

StartedJob::StartedJob(StartedJob&& other) noexcept
    : process_(std::exchange(other.process_, -1)), start_(other.start_) {}

StartedJob::~StartedJob() {
  if (process_ <= 0) return;
  kill(-process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

std::optional<int> StartedJob::ended() {
  int status = 0;
  const pid_t process = waitpid(process_, &status, WNOHANG);
  if (process != process_) return std::nullopt;
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void StartedJob::signal(int number) const {
  if (process_ > 0) kill(process_, number);
}

double StartedJob::seconds() const { return base::seconds_since(start_); }

std::string tail_of_log(const std::filesystem::path& log, size_t lines) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(log, failed)) return "";
  std::string text = base::read_file(log);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  size_t start = text.size();
  for (size_t found = 0; found < lines && start > 0; ++found) {
    const size_t newline = text.rfind('\n', start - 1);
    start = newline == std::string::npos ? 0 : newline;
  }
  std::string tail = "  ";
  for (const char c : text.substr(start == 0 ? 0 : start + 1)) {
    tail += c;
    if (c == '\n') tail += "  ";
  }
  return tail;
}

}  // namespace cuset::study
