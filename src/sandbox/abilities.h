// What this machine offers for confining untrusted programs. Each ability is tried, not guessed from
// versions.
#pragma once

#include <string>

namespace cuset {

struct Ability {
  bool present = false;
  std::string detail;  // what was seen: a version, or the reason it failed
};

struct SandboxAbilities {
  Ability
      user_namespaces;  // an unprivileged process can make its own user, mount, pid and network namespaces
  Ability bubblewrap;   // bwrap starts a program with no network and a read-only system
  Ability seccomp;      // system-call filters
  Ability cgroups;      // a cgroup v2 folder of ours with memory and pids limits
  Ability landlock;     // file access rules without privileges, the fallback
};

SandboxAbilities probe_sandbox_abilities();

}  // namespace cuset
