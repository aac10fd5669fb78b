#include "sandbox/process_wait.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "base/files/file.h"

namespace cuset::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::mutex adoption_mutex;
int adoptions = 0;
int adopted_before = 0;

}  // namespace

std::optional<Waited> wait_for(pid_t child, std::chrono::milliseconds time) {
  const Clock::time_point deadline = Clock::now() + time;
  const base::FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  while (true) {
    int status = 0;
    rusage usage{};
    const pid_t waited = ::wait4(child, &status, WNOHANG | __WALL, &usage);
    if (waited < 0 && errno != EINTR) return std::nullopt;
    if (waited == child) {
      return Waited{.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                    .cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
                    .peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024};
    }
    if (Clock::now() >= deadline) return std::nullopt;
    if (handle.is_open()) {
      wait_readable(handle.get(), std::min(deadline, Clock::now() + std::chrono::milliseconds(20)));
    } else {
      ::usleep(500);
    }
  }
}

bool is_waitable(pid_t child) {
  siginfo_t information{};
  return ::waitid(P_PID, static_cast<id_t>(child), &information, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         information.si_pid == child;
}

bool wait_readable(int descriptor, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
  }
}

OrphanAdoption::OrphanAdoption() {
  const std::lock_guard lock(adoption_mutex);
  if (adoptions++ > 0) return;
  ::prctl(PR_GET_CHILD_SUBREAPER, &adopted_before, 0, 0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

OrphanAdoption::~OrphanAdoption() {
  const std::lock_guard lock(adoption_mutex);
  if (--adoptions == 0) ::prctl(PR_SET_CHILD_SUBREAPER, adopted_before, 0, 0, 0);
}

}  // namespace cuset::sandbox
