// What this machine offers for confining untrusted programs. Each ability is tried, not guessed from
// versions.
#pragma once

#include <string>

namespace cuset::sandbox {

struct Ability {
  bool present = false;
  std::string detail;  // what was seen: a version, or the reason it failed
};

struct SandboxAbilities {
  Ability user_namespaces;   // a process can make its own user, mount, pid and network namespaces
  Ability bubblewrap;        // bwrap is here and starts a program
  Ability seccomp;           // system-call filters
  Ability cgroups;           // the kernel limits memory and processes of a tree; else we watch them
  Ability landlock;          // rules without privileges, a further layer of Confinement::kLimits
  Ability full_confinement;  // run_sandboxed with Confinement::kFull works
};

SandboxAbilities probe_sandbox_abilities();

}  // namespace cuset::sandbox
