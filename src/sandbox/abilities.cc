#include "sandbox/abilities.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/seccomp.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "sandbox/process.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Tries in a child, because namespaces once entered cannot be left.
Ability probe_user_namespaces() {
  const pid_t child = ::fork();
  if (child < 0) return {false, errno_text(errno)};
  if (child == 0) {
    const int flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
    ::_exit(::unshare(flags) == 0 ? 0 : errno);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return {false, "the probe was killed"};
  const int error_number = WEXITSTATUS(status);
  if (error_number == 0) return {true, "user, mount, pid, network and ipc"};
  return {false, "unshare: " + errno_text(error_number)};
}

Ability probe_bubblewrap() {
  const ProcessResult version = run_process({"bwrap", "--version"});
  if (!version.succeeded()) return {false, "not installed"};
  const ProcessResult trial =
      run_process({"bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev",
                   "--proc", "/proc", "--tmpfs", "/tmp", "true"});
  if (!trial.succeeded()) return {false, first_line(version.output) + " fails: " + first_line(trial.output)};
  return {true, first_line(version.output)};
}

Ability probe_seccomp() {
  const unsigned action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return {true, "filters available"};
  return {false, "seccomp: " + errno_text(errno)};
}

// Landlock answers its ABI version when asked without rules.
Ability probe_landlock() {
  constexpr unsigned kCreateRulesetVersion = 1;
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion);
  if (version > 0) return {true, fmt::format("ABI {}", version)};
  return {false, "landlock: " + errno_text(errno)};
}

// "0::/path" in /proc/self/cgroup names our folder in the unified hierarchy.
fs::path own_cgroup() {
  const std::string text = read_file("/proc/self/cgroup");
  const size_t start = text.find("0::/");
  if (start == std::string::npos) return {};
  const std::string path = first_line(text.substr(start + 4));
  return fs::path("/sys/fs/cgroup") / path;
}

// A child group is made and removed again: write permission alone does not show that the kernel agrees.
Ability probe_cgroups() {
  const fs::path group = own_cgroup();
  if (group.empty() || !fs::exists(group / "cgroup.controllers")) return {false, "no cgroup v2 hierarchy"};
  const std::string controllers = first_line(read_file(group / "cgroup.controllers"));
  for (const char* wanted : {"memory", "pids"}) {
    if (controllers.find(wanted) == std::string::npos) {
      return {false, fmt::format("controller {} is not available in {}", wanted, group.string())};
    }
  }
  std::string name = (group / "cuset-probe-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return {false, "cannot make a group: " + errno_text(errno)};
  ::rmdir(name.c_str());
  return {true, "v2, memory and pids"};
}

}  // namespace

SandboxAbilities probe_sandbox_abilities() {
  return {.user_namespaces = probe_user_namespaces(),
          .bubblewrap = probe_bubblewrap(),
          .seccomp = probe_seccomp(),
          .cgroups = probe_cgroups(),
          .landlock = probe_landlock()};
}

}  // namespace cuset
