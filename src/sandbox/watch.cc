#include "sandbox/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include "base/interrupt.h"
#include "sandbox/folder_walk.h"
#include "sandbox/process_tree.h"

namespace cuset::sandbox {
namespace {

using std::chrono::milliseconds;

// Where the kernel limits memory only CPU time must be read, which grows slowly.
constexpr milliseconds kLooksWithGroup{20};
constexpr milliseconds kLooksAlone{4};
constexpr milliseconds kFolderLooks{100};

}  // namespace

milliseconds effective_cpu_time(const SandboxLimits& limits) {
  if (limits.cpu_time.count() > 0) return limits.cpu_time;
  return limits.wall_time * std::max(1U, std::thread::hardware_concurrency());
}

OutputStream::OutputStream(base::FileDescriptor pipe, uint64_t limit)
    : pipe_(std::move(pipe)), limit_(limit) {
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

void OutputStream::take() {
  char buffer[65536];
  while (pipe_.is_open()) {
    const ssize_t count = ::read(pipe_.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      pipe_.reset();
      return;
    }
    const uint64_t room = limit_ - std::min<uint64_t>(limit_, kept_.size());
    kept_.append(buffer, std::min<uint64_t>(room, static_cast<uint64_t>(count)));
    bytes_ += static_cast<uint64_t>(count);
    if (static_cast<size_t>(count) < sizeof buffer) return;
  }
}

Watch::Watch(const SandboxedCommand& command, const ResourceGroup& group, const RunningProgram& program)
    : command_(command), group_(group), program_(program) {}

std::optional<Ending> Watch::wait(OutputStream& output, OutputStream& errors) {
  const bool is_kernel_limited = group_.limits_memory() && group_.limits_processes();
  const milliseconds interval = is_kernel_limited ? kLooksWithGroup : kLooksAlone;
  const base::FileDescriptor end(static_cast<int>(::syscall(SYS_pidfd_open, program_.root(), 0)));
  Clock::time_point next_look = start_ + interval;
  while (true) {
    const Clock::time_point deadline = this->deadline();
    const Clock::time_point wake = std::min(next_look, deadline);
    const auto left = std::chrono::duration_cast<milliseconds>(wake - Clock::now()) + milliseconds(1);
    std::array<pollfd, 3> waiting{
        pollfd{output.descriptor(), POLLIN, 0}, {errors.descriptor(), POLLIN, 0}, {end.get(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<int64_t>(left.count(), 0, 100)));
    output.take();
    errors.take();
    if (output.bytes() + errors.bytes() > command_.limits.output_kill) return Ending::kOutput;
    if (program_.has_ended()) return std::nullopt;
    if (Clock::now() >= deadline) return Ending::kWallTime;
    if (Clock::now() < next_look) continue;
    if (auto ending = examine()) return ending;
    next_look = Clock::now() + interval;
  }
}

Watch::Clock::time_point Watch::deadline() const {
  return start_ + command_.limits.wall_time + (command_.waited ? command_.waited() : milliseconds(0));
}

std::optional<Ending> Watch::examine() {
  if (base::is_interrupt_requested()) return Ending::kInterrupted;
  if (group_.memory_kills() > 0) return Ending::kMemory;
  if (auto ending = examine_tree()) return ending;
  if (is_folder_too_large()) {
    signal_ = SIGXFSZ;
    return Ending::kSignalled;
  }
  return std::nullopt;
}

std::optional<Ending> Watch::examine_tree() {
  constexpr uint64_t kOfBubblewrap = 2;
  const uint64_t most = command_.limits.processes + kOfBubblewrap;
  const std::vector<pid_t> tree = tree_of(program_.root(), most);
  // Where the kernel limits processes it keeps a tree from getting here; RLIMIT_NPROC does not bind root.
  if (tree.size() > most) return too_many_processes();
  const TreeUsage usage = usage_of(tree);
  cpu_seconds_ = std::max(cpu_seconds_, usage.cpu_seconds);
  peak_memory_ = std::max(peak_memory_, usage.memory);
  if (cpu_seconds_ >= std::chrono::duration<double>(effective_cpu_time(command_.limits)).count())
    return Ending::kCpuTime;
  if (!group_.limits_memory() && is_memory_exceeded(tree, usage.memory)) return Ending::kMemory;
  if (usage.threads > most) return too_many_processes();
  return std::nullopt;
}

Ending Watch::too_many_processes() {
  signal_ = SIGKILL;
  return Ending::kSignalled;
}

bool Watch::is_memory_exceeded(const std::vector<pid_t>& tree, uint64_t resident) const {
  return resident > command_.limits.memory && proportional_memory(tree) > command_.limits.memory;
}

bool Watch::is_folder_too_large() {
  if (Clock::now() < next_folder_look_) return false;
  next_folder_look_ = Clock::now() + kFolderLooks;
  return is_folder_larger(command_.folder, command_.limits.folder_size, command_.limits.files);
}

}  // namespace cuset::sandbox
