#include "sandbox/abilities.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/seccomp.h>
#include <cerrno>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/landlock.h"
#include "sandbox/process.h"
#include "sandbox/resource_group.h"
#include "sandbox/sandbox.h"

namespace cuset::sandbox {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Tries in a child, because namespaces once entered cannot be left.
Ability probe_user_namespaces() {
  const pid_t child = ::fork();
  if (child < 0) return {false, base::errno_text(errno)};
  if (child == 0) {
    const int flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
    ::_exit(::unshare(flags) == 0 ? 0 : errno);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return {false, "the probe was killed"};
  const int error_number = WEXITSTATUS(status);
  if (error_number == 0) return {true, "user, mount, pid, network and ipc"};
  return {false, "unshare: " + base::errno_text(error_number)};
}

Ability probe_bubblewrap() {
  const std::optional<Bubblewrap> bubblewrap = find_bubblewrap();
  if (!bubblewrap) return {false, "not installed"};
  std::vector<std::string> start;
  if (!bubblewrap->libraries.empty()) {
    start = {"env", "LD_LIBRARY_PATH=" + bubblewrap->libraries.string()};
  }
  start.push_back(bubblewrap->program.string());
  const auto with = [&](std::initializer_list<std::string> arguments) {
    std::vector<std::string> all = start;
    all.insert(all.end(), arguments);
    return run_process(all);
  };
  const ProcessResult version = with({"--version"});
  if (!version.succeeded()) {
    return {false, bubblewrap->program.string() + " does not start: " + first_line(version.output)};
  }
  const ProcessResult trial = with({"--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev",
                                    "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "true"});
  if (!trial.succeeded()) return {false, first_line(version.output) + " fails: " + first_line(trial.output)};
  return {true, fmt::format("{} ({})", first_line(version.output), bubblewrap->program.string())};
}

Ability probe_seccomp() {
  const unsigned action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return {true, "filters available"};
  return {false, "seccomp: " + base::errno_text(errno)};
}

Ability probe_landlock() {
  if (const int version = landlock_version(); version > 0) return {true, fmt::format("version {}", version)};
  return {false, "not in this kernel, or disabled"};
}

// A group is made and removed again: write permission alone does not show that the kernel agrees.
Ability probe_cgroups() {
  const ResourceGroup group({.memory = 1 << 30, .processes = 16});
  return {group.limits_memory() && group.limits_processes(), group.description()};
}

Ability probe_full_confinement() {
  const base::TemporaryFolder folder;
  SandboxedCommand command;
  command.arguments = {"/bin/sh", "-c", "exit 0"};
  command.folder = folder.path();
  command.limits.wall_time = std::chrono::seconds(10);
  try {
    const SandboxResult result = run_sandboxed(command);
    if (result.succeeded()) return {true, "own namespaces, read-only system, system-call filter, limits"};
    return {false, "a trial program fails inside: " + first_line(result.errors + result.reason)};
  } catch (const base::Error& error) {
    return {false, error.what()};
  }
}

}  // namespace

SandboxAbilities probe_sandbox_abilities() {
  return {.user_namespaces = probe_user_namespaces(),
          .bubblewrap = probe_bubblewrap(),
          .seccomp = probe_seccomp(),
          .cgroups = probe_cgroups(),
          .landlock = probe_landlock(),
          .full_confinement = probe_full_confinement()};
}

}  // namespace cuset::sandbox
