#include "sandbox/child_start.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"
#include "sandbox/pipe.h"

namespace cuset::sandbox {
namespace {

constexpr int kFirstPassed = 3;

enum class Step : int { kJoin, kStreams, kFolder, kLimits, kUser, kPrivileges, kFilter, kExecute };

const char* text_of(Step step) {
  switch (step) {
    case Step::kJoin:
      return "join its control group";
    case Step::kStreams:
      return "redirect its streams";
    case Step::kFolder:
      return "enter its folder";
    case Step::kLimits:
      return "limit its resources";
    case Step::kUser:
      return "become another user";
    case Step::kPrivileges:
      return "give up privileges";
    case Step::kFilter:
      return "filter its system calls";
    case Step::kExecute:
      return "execute it";
  }
  return "";
}

struct Failure {
  Step step;
  int error_number;
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// All the child needs, laid out before it exists: it may not allocate.
struct Prepared {
  Prepared(const ChildStart& start, int failures)
      : argv(pointers(start.arguments)),
        envp(pointers(start.environment)),
        folder(start.folder.c_str()),
        entrances(start.entrances),
        user(start.user),
        landlock_rules(start.landlock_rules) {
    // Above the numbers they will get, so that no dup2 overwrites one still needed.
    const int above = kFirstPassed + static_cast<int>(start.passed.size()) + 1;
    const auto lift = [&](int fd) {
      lifted.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, above));
      if (!lifted.back().is_open())
        throw base::Error("cannot copy a file descriptor: {}", base::errno_text(errno));
      return lifted.back().get();
    };
    streams = {lift(base::open_file("/dev/null", O_RDONLY).get()), lift(start.output), lift(start.errors)};
    for (const int fd : start.passed) streams.push_back(lift(fd));
    failure_pipe = lift(failures);
    for (const ResourceLimit& limit : start.limits) {
      rlimit now{};
      ::getrlimit(static_cast<__rlimit_resource>(limit.resource), &now);
      limits.push_back({limit.resource, std::min(limit.value, now.rlim_max)});
    }
    filter = {.len = static_cast<unsigned short>(start.filter.size()),
              .filter = const_cast<sock_filter*>(start.filter.data())};
  }

  std::vector<char*> argv;
  std::vector<char*> envp;
  const char* folder;
  std::vector<base::FileDescriptor> lifted;
  std::vector<int> streams;  // for descriptors 0, 1, 2, ...
  std::vector<int> entrances;
  std::vector<ResourceLimit> limits;
  uid_t user;
  int landlock_rules;
  sock_fprog filter{};
  int failure_pipe = -1;
};

// Below here, up to start_child, the code runs in the child on borrowed memory: system calls only.

[[noreturn]] void give_up(const Prepared& prepared, Step step) {
  const Failure failure{step, errno};
  [[maybe_unused]] const ssize_t count = ::write(prepared.failure_pipe, &failure, sizeof failure);
  ::_exit(127);
}

void join_groups(const Prepared& prepared) {
  for (const int entrance : prepared.entrances) {
    if (::write(entrance, "0", 1) != 1) give_up(prepared, Step::kJoin);
  }
  const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  [[maybe_unused]] const ssize_t count = ::write(score, "1000", 4);
  ::close(score);
}

void default_signals() {
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &plain, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void redirect_streams(const Prepared& prepared) {
  const int count = static_cast<int>(prepared.streams.size());
  for (int fd = 0; fd < count; ++fd) {
    if (::dup2(prepared.streams[static_cast<size_t>(fd)], fd) < 0) give_up(prepared, Step::kStreams);
  }
  // What we did not open ourselves may lack the close-on-exec mark.
  constexpr unsigned kMark = 1U << 2;  // CLOSE_RANGE_CLOEXEC
  if (::syscall(SYS_close_range, static_cast<unsigned>(count), ~0U, kMark) == 0) return;
  for (int fd = count; fd < 4096; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void limit_resources(const Prepared& prepared) {
  for (const ResourceLimit& limit : prepared.limits) {
    const rlimit value{.rlim_cur = limit.value, .rlim_max = limit.value};
    if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &value) != 0) {
      give_up(prepared, Step::kLimits);
    }
  }
}

// Keeps one capability through the change of user and through exec: reading and entering folders.
void become_user(const Prepared& prepared) {
  const uid_t user = prepared.user;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  constexpr uint32_t kRead = 1U << CAP_DAC_READ_SEARCH;
  const __user_cap_data_struct kept[2] = {{.effective = kRead, .permitted = kRead, .inheritable = kRead}, {}};
  if (::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || ::syscall(SYS_setresgid, user, user, user) != 0 ||
      ::syscall(SYS_setresuid, user, user, user) != 0 || ::syscall(SYS_capset, &header, kept) != 0 ||
      ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) != 0) {
    give_up(prepared, Step::kUser);
  }
}

// The C library's setgroups and setresuid would change every thread of the parent, too.
void give_up_privileges(const Prepared& prepared) {
  if (::geteuid() == 0) ::syscall(SYS_setgroups, 0, nullptr);
  if (prepared.user != 0) become_user(prepared);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up(prepared, Step::kPrivileges);
}

[[noreturn]] void run_child(const Prepared& prepared) {
  default_signals();
  join_groups(prepared);
  ::setsid();
  ::umask(022);
  redirect_streams(prepared);
  if (::chdir(prepared.folder) != 0) give_up(prepared, Step::kFolder);
  give_up_privileges(prepared);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  limit_resources(prepared);
  if (prepared.landlock_rules >= 0 &&
      ::syscall(SYS_landlock_restrict_self, prepared.landlock_rules, 0) != 0) {
    give_up(prepared, Step::kFilter);
  }
  if (prepared.filter.len > 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prepared.filter) != 0) {
    give_up(prepared, Step::kFilter);
  }
  ::execve(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
  give_up(prepared, Step::kExecute);
}

// A frame of its own: nothing the parent needs afterwards may live where the child writes.
[[gnu::noinline]] pid_t fork_borrowing(const Prepared& prepared) {
  const pid_t child = ::vfork();  // NOLINT(bugprone-unsafe-functions): posix_spawn knows no limits or filters
  if (child == 0) run_child(prepared);
  return child;
}

}  // namespace

StartedChild start_child(const ChildStart& start) {
  CUSET_CHECK(!start.arguments.empty(), "no program named");
  Pipe failures = make_pipe();
  Prepared prepared(start, failures.write_end.get());

  static const int dumpable = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);

  // A handler of ours must not run in the child.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork_borrowing(prepared);
  const int fork_error = errno;
  if (start.user != 0)
    ::prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);  // the child's change of user shows in our memory
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

  if (child < 0) return {.process = -1, .error_number = fork_error, .step = "make a process for it"};
  failures.write_end.reset();
  prepared.lifted.clear();
  Failure failure{};
  if (base::read_some(failures.read_end.get(), reinterpret_cast<char*>(&failure), sizeof failure, "pipe") ==
      0) {
    return {.process = child};
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {.process = -1, .error_number = failure.error_number, .step = text_of(failure.step)};
}

}  // namespace cuset::sandbox
