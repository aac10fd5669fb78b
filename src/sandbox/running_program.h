// A started program with everything it may start itself, seen from the outside.
#pragma once

#include <sys/types.h>

#include <string>

namespace cuset::sandbox {

struct ProgramEnd {
  int exit_status = -1;      // if it ended by itself
  int signal = 0;            // if a signal ended it
  double cpu_seconds = 0;    // of all that were waited for
  uint64_t peak_memory = 0;  // bytes of its largest process
};

class RunningProgram {
 public:
  virtual ~RunningProgram() = default;

  // The process all others descend from.
  virtual pid_t root() const = 0;
  // The program itself has ended; children of it may live.
  virtual bool has_ended() const = 0;
  // Kills what lives and waits until nothing of it is left. Throws Error if the kernel does not let a process
  // die (a driver holds it). To be called once.
  virtual ProgramEnd end() = 0;
};

}  // namespace cuset::sandbox
