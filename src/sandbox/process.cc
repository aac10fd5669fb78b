#include "sandbox/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/error.h"
#include "base/interrupt.h"
#include "sandbox/pipe.h"

extern char** environ;

namespace cuset::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

// Descriptors that become the child's.
struct ChildStreams {
  int input = -1;  // -1: nothing to read
  int output = -1;
  int errors = -1;
};

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

  // Own process group, default signal handling.
  void configure(const ChildStreams& streams) {
    if (streams.input < 0) {
      ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    } else {
      ::posix_spawn_file_actions_adddup2(&actions_, streams.input, STDIN_FILENO);
    }
    ::posix_spawn_file_actions_adddup2(&actions_, streams.output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.errors, STDERR_FILENO);
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

pid_t spawn(const std::vector<std::string>& arguments, const ChildStreams& streams) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  SpawnOptions options;
  options.configure(streams);
  pid_t child = -1;
  const int status =
      ::posix_spawnp(&child, argv[0], options.actions(), options.attributes(), argv.data(), environ);
  return status == 0 ? child : -1;
}

// A file in memory, read from its beginning: a child can be slow to read it, or not read it at all.
base::FileDescriptor file_in_memory(const std::string& text) {
  base::FileDescriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (file.get() < 0) throw base::Error("no memory for the input of a program");
  for (size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(file.get(), text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw base::Error("no memory for the input of a program, {} bytes", text.size());
    written += static_cast<size_t>(count);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// When a child is killed.
class Deadline {
 public:
  explicit Deadline(const ProcessOptions& options)
      : end_(Clock::now() + options.time_limit), stops_at_interrupt_(options.stops_at_interrupt) {}

  bool has_come() const {
    return Clock::now() >= end_ || (stops_at_interrupt_ && base::is_interrupt_requested());
  }
  // How long to wait before the next look.
  int milliseconds() const {
    constexpr int64_t kLook = 100;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
    const int64_t longest = stops_at_interrupt_ ? kLook : INT_MAX;
    return static_cast<int>(std::clamp<int64_t>(left.count() + 1, 0, longest));
  }

 private:
  Clock::time_point end_;
  bool stops_at_interrupt_;
};

// A pipe's end and what was read from it.
struct CapturedStream {
  int fd = -1;
  std::string* text = nullptr;
  bool is_open = true;

  // What can be read now, as far as the limit allows it to be kept.
  void read_more(size_t limit) {
    char buffer[65536];
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      is_open = false;
      return;
    }
    const size_t room = limit - std::min(limit, text->size());
    text->append(buffer, std::min(room, static_cast<size_t>(count)));
  }
};

// Collects output until all pipes close; false if the deadline came first.
bool collect_output(std::vector<CapturedStream> streams, const Deadline& deadline, size_t limit) {
  while (true) {
    std::erase_if(streams, [](const CapturedStream& stream) { return !stream.is_open; });
    if (streams.empty()) return true;
    std::vector<pollfd> waiting;
    for (const CapturedStream& stream : streams)
      waiting.push_back({.fd = stream.fd, .events = POLLIN, .revents = 0});
    const int ready = ::poll(waiting.data(), waiting.size(), deadline.milliseconds());
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) {
      if (deadline.has_come()) return false;
      continue;
    }
    for (size_t i = 0; i < streams.size(); ++i) {
      if (waiting[i].revents != 0) streams[i].read_more(limit);
    }
  }
}

// A program may close its output and run on: waits for its end until the deadline.
bool wait_until(pid_t child, const Deadline& deadline, int& status) {
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (deadline.has_come()) return false;
    ::usleep(1000);
  }
  return true;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  CUSET_CHECK(!arguments.empty(), "no program named");
  ProcessResult result;
  Pipe output = make_pipe();
  Pipe errors;
  if (options.errors_apart) errors = make_pipe();
  base::FileDescriptor input;
  if (!options.input.empty()) input = file_in_memory(options.input);
  const Deadline deadline(options);
  const pid_t child = spawn(arguments, {.input = input.get(),
                                        .output = output.write_end.get(),
                                        .errors = (options.errors_apart ? errors : output).write_end.get()});
  if (child < 0) return result;
  result.started = true;
  output.write_end.reset();
  errors.write_end.reset();

  std::vector<CapturedStream> streams = {{output.read_end.get(), &result.output}};
  if (options.errors_apart) streams.push_back({errors.read_end.get(), &result.errors});
  int status = 0;
  const bool in_time = collect_output(std::move(streams), deadline, options.output_limit) &&
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
