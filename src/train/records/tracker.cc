#include "train/records/tracker.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/json/json.h"
#include "base/log.h"
#include "train/records/tracker_script.h"

extern char** environ;

namespace cuset::train {
namespace {

constexpr int kPatienceSeconds = 60;

std::string python() {
  const char* chosen = std::getenv("CUSET_PYTHON");
  return chosen != nullptr && *chosen != '\0' ? chosen : "python3";
}

struct Child {
  base::FileDescriptor channel;
  pid_t process = -1;
};

// Neither a service that hangs nor one that died may hold up the run.
void limit_waiting(int channel) {
  const timeval limit{.tv_sec = kPatienceSeconds, .tv_usec = 0};
  ::setsockopt(channel, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

// In a process group of its own: Ctrl-C is for the run, which then closes the channel. What services print goes to
// the terminal as messages do.
Child start_child() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw base::Error("cannot make a socket: {}", std::strerror(errno));
  }
  Child child{.channel = base::FileDescriptor(ends[0])};
  const base::FileDescriptor other(ends[1]);
  limit_waiting(child.channel.get());

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, other.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string program = python();
  std::string option = "-c";
  std::string script = kTrackerScript;
  char* arguments[] = {program.data(), option.data(), script.data(), nullptr};
  const int failed =
      ::posix_spawnp(&child.process, program.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    throw base::Error("cannot start {}: {}", program, std::strerror(failed))
        .with_remedy("name a Python in CUSET_PYTHON, or set report_to: none");
  }
  return child;
}

bool send_line(int channel, const base::Json& line) {
  const std::string text = base::to_json_line(line) + "\n";
  size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::send(channel, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<size_t>(count);
  }
  return true;
}

// What the child says until its line or its life ends.
std::string reply_of(int channel) {
  std::string reply;
  for (char letter = 0;;) {
    const ssize_t count = ::recv(channel, &letter, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fmt::format("no reply within {} s", kPatienceSeconds);
    if (count == 0 || letter == '\n') return count == 0 && reply.empty() ? "it ended without a word" : reply;
    reply += letter;
  }
}

void expect_ready(const Child& child, const std::string& service, const base::Json& start) {
  send_line(child.channel.get(), start);
  const std::string reply = reply_of(child.channel.get());
  if (reply == "ready") return;
  ::kill(child.process, SIGKILL);
  ::waitpid(child.process, nullptr, 0);
  const bool is_missing = reply.find("has no module") != reply.npos;
  throw base::Error("report_to: {}: {}", service, reply)
      .with_remedy("{}, or set report_to: none",
                   is_missing
                       ? fmt::format("pip install {}, or name a Python that has it in CUSET_PYTHON", service)
                   : service == "wandb" ? "log in, or set WANDB_MODE=offline"
                                        : "set MLFLOW_TRACKING_URI");
}

// Only numbers that JSON has: a loss that is not finite shows in metrics.jsonl.
base::Json values_of(const std::vector<Scalar>& scalars) {
  base::Json values = base::Json::object();
  for (const Scalar& scalar : scalars) {
    if (std::isfinite(scalar.value)) values[scalar.tag] = scalar.value;
  }
  return values;
}

}  // namespace

bool is_tracker(const std::string& name) { return name == "wandb" || name == "mlflow"; }

void check_trackers(const std::vector<std::string>& services) {
  for (const std::string& service : services) {
    const Child child = start_child();
    expect_ready(child, service, {{"service", service}, {"check", true}});
    ::waitpid(child.process, nullptr, 0);
  }
}

Tracker::Tracker(std::string service, const TrackedRun& run) : service_(std::move(service)) {
  Child child = start_child();
  const std::filesystem::path folder = std::filesystem::absolute(run.folder);
  expect_ready(child, service_,
               {{"service", service_},
                {"folder", folder.string()},
                {"name", run.folder.lexically_normal().string()},
                {"resumes", run.resumes}});
  channel_ = std::move(child.channel);
  child_ = child.process;
}

void Tracker::record(int64_t step, const std::vector<Scalar>& scalars) {
  if (!channel_.is_open()) return;
  if (send_line(channel_.get(), {{"step", step}, {"values", values_of(scalars)}})) return;
  base::log_warning("report_to: {} takes no more metrics; metrics.jsonl has every record", service_);
  channel_.reset();
}

Tracker::~Tracker() {
  if (channel_.is_open()) {
    ::shutdown(channel_.get(), SHUT_WR);
    char rest = 0;
    while (::recv(channel_.get(), &rest, 1, 0) > 0) {
    }
    channel_.reset();
  }
  int status = 0;
  const pid_t ended = ::waitpid(child_, &status, WNOHANG);
  if (ended == child_ && status != 0) {
    base::log_warning("report_to: {} failed; metrics.jsonl has every record", service_);
  }
}

}  // namespace cuset::train
