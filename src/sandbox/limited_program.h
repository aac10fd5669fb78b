// A program that shares our namespaces: limits and the system-call filter hold, files and network are open.
//
// Its processes carry a mark that they inherit and cannot change: a random value of the limit on real-time
// scheduling, which means nothing to ordinary processes and whose change the filter refuses. At the end every
// process with the mark is stopped, until no new one appears, and killed: neither a new session nor a dead
// parent hides one.
#pragma once

#include <string>
#include <vector>

#include "sandbox/child_start.h"
#include "sandbox/running_program.h"
#include "sandbox/sandbox.h"

namespace cuset::sandbox {

class LimitedProgram : public RunningProgram {
 public:
  // `start` brings streams, groups and limits.
  LimitedProgram(const SandboxedCommand& command, ChildStart start);
  ~LimitedProgram() override;

  pid_t root() const override { return child_.process; }
  bool has_ended() const override;
  ProgramEnd end() override;

  // Why the program could not be executed; empty if it runs.
  std::string failure() const;

 private:
  std::vector<pid_t> marked() const;
  void stop_all() const;

  std::string mark_;  // as /proc/<pid>/limits shows it
  StartedChild child_;
  bool ended_ = false;
};

}  // namespace cuset::sandbox
