// A program inside bubblewrap. Three processes lead to it: bwrap (ours to wait for), the first process of the
// namespace (bwrap again, which collects orphans), the program. Killing the first process kills all others in
// the namespace, and it counts as dead only after them.
#pragma once

#include <string>

#include "base/files/file.h"
#include "sandbox/child_start.h"
#include "sandbox/running_program.h"
#include "sandbox/sandbox.h"

namespace cuset::sandbox {

class ConfinedProgram : public RunningProgram {
 public:
  // `start` brings streams, groups and limits. The program waits in front of its first instruction until
  // everything is in place. Throws Error where bubblewrap or system-call filters are missing.
  ConfinedProgram(const SandboxedCommand& command, ChildStart start);
  ~ConfinedProgram() override;

  pid_t root() const override { return bubblewrap_; }
  bool has_ended() const override;
  ProgramEnd end() override;

  // After end(): false if bubblewrap gave up before it came to the program; its reason is on standard error.
  bool was_set_up() const { return set_up_; }

 private:
  void read_first_process();
  void kill_namespace() const;
  void wait_for_first_process(ProgramEnd& end) const;

  pid_t bubblewrap_ = -1;
  pid_t first_ = -1;                   // of the namespace, as we number it; -1 if bwrap died before making it
  base::FileDescriptor first_handle_;  // keeps the number from meaning another process
  base::FileDescriptor status_;
  bool set_up_ = false;
  bool ended_ = false;
};

// Throws Error naming what this machine lacks for full confinement.
void require_full_confinement();

}  // namespace cuset::sandbox
