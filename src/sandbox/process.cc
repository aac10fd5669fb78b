#include "sandbox/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "sandbox/pipe.h"

extern char** environ;

namespace cuset::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// posix_spawn's two option objects, freed together.
class SpawnOptions {
 public:
  SpawnOptions() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  ~SpawnOptions() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  // Own process group, no input, output and errors into `output`, default signal handling.
  void configure(int output) {
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    sigset_t defaults;
    ::sigfillset(&defaults);
    sigset_t unblocked;
    ::sigemptyset(&unblocked);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setsigmask(&attributes_, &unblocked);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

pid_t spawn(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  SpawnOptions options;
  options.configure(output);
  pid_t child = -1;
  const int status =
      ::posix_spawnp(&child, argv[0], options.actions(), options.attributes(), argv.data(), environ);
  return status == 0 ? child : -1;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::max<int64_t>(0, left.count()));
}

// Collects output until the pipe closes; false if the deadline came first.
bool collect_output(int fd, Clock::time_point deadline, size_t limit, std::string& output) {
  char buffer[65536];
  while (true) {
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    const size_t room = limit - std::min(limit, output.size());
    output.append(buffer, std::min(room, static_cast<size_t>(count)));
  }
}

// A program may close its output and run on: waits for its end until the deadline.
bool wait_until(pid_t child, Clock::time_point deadline, int& status) {
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) return false;
    ::usleep(1000);
  }
  return true;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  CUSET_CHECK(!arguments.empty(), "no program named");
  ProcessResult result;
  Pipe pipe = make_pipe();
  const auto deadline = Clock::now() + options.time_limit;
  const pid_t child = spawn(arguments, pipe.write_end.get());
  if (child < 0) return result;
  result.started = true;
  pipe.write_end.reset();

  int status = 0;
  const bool in_time = collect_output(pipe.read_end.get(), deadline, options.output_limit, result.output) &&
                       wait_until(child, deadline, status);
  if (!in_time) {
    result.timed_out = true;
    ::kill(-child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return result;
  }
  ::kill(-child, SIGKILL);  // whatever it left running
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace cuset::sandbox
