#include "sandbox/confined_program.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/error.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/pipe.h"
#include "sandbox/process_wait.h"
#include "sandbox/system_call_filter.h"

namespace cuset::sandbox {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSetupTime{20'000};
constexpr milliseconds kDeathTime{60'000};  // a starved machine needs many seconds
// The numbers that ChildStart::passed gives.
constexpr BubblewrapDescriptors kDescriptors{.filter = 3, .status = 4, .gate = 5};

Pipe filled_pipe(std::span<const sock_filter> filter) {
  Pipe pipe = make_pipe();
  const auto size = static_cast<ssize_t>(filter.size_bytes());
  const ssize_t written = ::write(pipe.write_end.get(), filter.data(), filter.size_bytes());
  CUSET_CHECK(written == size, "{} of {} bytes of the filter fit into a pipe", written, size);
  pipe.write_end.reset();
  return pipe;
}

std::vector<std::string> environment_of(const Bubblewrap& bubblewrap) {
  if (bubblewrap.libraries.empty()) return {};
  return {"LD_LIBRARY_PATH=" + bubblewrap.libraries.string()};
}

// bwrap reports the program's end as a shell does.
void set_status(int code, ProgramEnd& end) {
  constexpr int kSignalBase = 128;
  if (code > kSignalBase && code <= kSignalBase + SIGRTMAX) {
    end.signal = code - kSignalBase;
  } else {
    end.exit_status = code;
  }
}

}  // namespace

void require_full_confinement() {
  constexpr const char* kRemedy = "`cuset doctor` shows what is missing; --sandbox=limits runs without it";
  if (!find_bubblewrap()) {
    throw base::Error("full confinement needs bubblewrap (bwrap), which is not installed")
        .with_remedy(
            "apt-get install bubblewrap, or set CUSET_BWRAP; --sandbox=limits runs without namespaces");
  }
  const unsigned action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0) {
    throw base::Error("full confinement needs system-call filters (seccomp): {}", base::errno_text(errno))
        .with_remedy("{}", kRemedy);
  }
}

ConfinedProgram::ConfinedProgram(const SandboxedCommand& command, ChildStart start) {
  require_full_confinement();
  const Bubblewrap bubblewrap = *find_bubblewrap();
  const Pipe filter = filled_pipe(system_call_filter(command.gpu ? FilterKind::kGpu : FilterKind::kPlain));
  Pipe status = make_pipe();
  Pipe gate = make_pipe();
  start.arguments = bubblewrap_arguments(bubblewrap, command, kDescriptors);
  start.environment = environment_of(bubblewrap);
  start.folder = "/";
  start.passed = {filter.read_end.get(), status.write_end.get(), gate.read_end.get()};
  const StartedChild child = start_child(start);
  if (child.process < 0) {
    throw base::Error("cannot start {}: cannot {}: {}", bubblewrap.program.string(), child.step,
                      base::errno_text(child.error_number));
  }
  bubblewrap_ = child.process;
  status.write_end.reset();
  status_ = std::move(status.read_end);
  read_first_process();
  if (first_ > 0) {
    // Only here: before the namespace exists the limit would count all processes of the user.
    const rlim_t processes = command.limits.processes + 1;
    const rlimit limit{.rlim_cur = processes, .rlim_max = processes};
    ::prlimit(first_, RLIMIT_NPROC, &limit, nullptr);
  }
  // Our own read end is still open: a bwrap that has died already must not end us by SIGPIPE.
  [[maybe_unused]] const ssize_t opened = ::write(gate.write_end.get(), "g", 1);
}

ConfinedProgram::~ConfinedProgram() {
  if (ended_) return;
  kill_namespace();
  wait_for(bubblewrap_, kDeathTime);
  wait_for(first_, kDeathTime);
}

// The first line is {"child-pid": 123, ...}. bwrap writes it in pieces, or ends without it.
void ConfinedProgram::read_first_process() {
  std::string line;
  char buffer[1024];
  const auto deadline = std::chrono::steady_clock::now() + kSetupTime;
  while (line.find('\n') == std::string::npos) {
    if (!wait_readable(status_.get(), deadline)) break;
    const ssize_t count = ::read(status_.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    line.append(buffer, static_cast<size_t>(count));
  }
  const size_t at = line.find("child-pid");
  const size_t digits = at == std::string::npos ? at : line.find_first_of("0123456789", at);
  if (digits == std::string::npos) return;
  first_ = std::stoi(line.substr(digits, 10));
  first_handle_ = base::FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, first_, 0)));
}

bool ConfinedProgram::has_ended() const { return is_waitable(bubblewrap_); }

// The kernel kills the others only when the first process comes to run, which a crowd of busy ones could
// delay by seconds; it goes ahead of them where we are allowed to say so.
void ConfinedProgram::kill_namespace() const {
  if (first_ > 0 && !has_ended()) {
    const sched_param first_in_line{.sched_priority = 1};
    if (::sched_setscheduler(first_, SCHED_RR, &first_in_line) != 0) {
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(first_), -20);
    }
  }
  if (first_handle_.is_open()) {
    ::syscall(SYS_pidfd_send_signal, first_handle_.get(), SIGKILL, nullptr, 0);
  } else {
    ::kill(first_ > 0 && !has_ended() ? first_ : bubblewrap_, SIGKILL);
  }
}

ProgramEnd ConfinedProgram::end() {
  ended_ = true;
  ProgramEnd end;
  kill_namespace();
  std::optional<Waited> waited = wait_for(bubblewrap_, kDeathTime);
  if (!waited) {
    ::kill(bubblewrap_, SIGKILL);
    waited = wait_for(bubblewrap_, kDeathTime);
  }
  if (!waited) throw base::Error("process {} of a sandbox does not die", bubblewrap_);
  if (waited->exit_status >= 0) set_status(waited->exit_status, end);
  end.signal = std::max(end.signal, waited->signal);
  end.cpu_seconds = waited->cpu_seconds;
  end.peak_memory = waited->peak_memory;
  wait_for_first_process(end);
  char rest[1024];
  const ssize_t count = ::read(status_.get(), rest, sizeof rest);
  set_up_ = count > 0 &&
            std::string_view(rest, static_cast<size_t>(count)).find("exit-code") != std::string_view::npos;
  return end;
}

// bwrap often ends before the namespace does; its first process then becomes our child.
void ConfinedProgram::wait_for_first_process(ProgramEnd& end) const {
  if (first_ < 0) return;
  const auto deadline = std::chrono::steady_clock::now() + kDeathTime;
  if (first_handle_.is_open() && !wait_readable(first_handle_.get(), deadline)) {
    throw base::Error("process {} of a sandbox does not die: a driver holds it", first_);
  }
  const std::optional<Waited> waited = wait_for(first_, kDeathTime);
  if (!waited) return;  // bwrap had waited for it
  end.cpu_seconds += waited->cpu_seconds;
  end.peak_memory = std::max(end.peak_memory, waited->peak_memory);
}

}  // namespace cuset::sandbox
