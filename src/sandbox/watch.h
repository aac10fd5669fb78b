// Watches a running program: gathers its output and compares what its tree uses with the limits.
//
// What the kernel limits by itself (control groups) is only looked at; the rest is measured every few
// milliseconds. The watch decides that the program must end; RunningProgram::end() ends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "sandbox/resource_group.h"
#include "sandbox/running_program.h"
#include "sandbox/sandbox.h"

namespace cuset::sandbox {

// One stream of output: keeps up to a limit, counts the rest.
class OutputStream {
 public:
  OutputStream(base::FileDescriptor pipe, uint64_t limit);

  int descriptor() const { return pipe_.get(); }  // -1 once closed by the program
  // Takes what is there without waiting.
  void take();
  uint64_t bytes() const { return bytes_; }
  std::string release() { return std::move(kept_); }

 private:
  base::FileDescriptor pipe_;
  uint64_t limit_;
  uint64_t bytes_ = 0;
  std::string kept_;
};

// The limit on CPU time, with the meaning of 0 filled in.
std::chrono::milliseconds effective_cpu_time(const SandboxLimits& limits);

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  Watch(const SandboxedCommand& command, const ResourceGroup& group, const RunningProgram& program);

  // Returns when the program has ended (nothing) or must end (why). kSignalled stands for limits without an
  // ending of their own: signal() says which.
  std::optional<Ending> wait(OutputStream& output, OutputStream& errors);

  int signal() const { return signal_; }
  double cpu_seconds() const { return cpu_seconds_; }
  uint64_t peak_memory() const { return peak_memory_; }
  // Since the watch began.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  Clock::time_point deadline() const;
  std::optional<Ending> examine();
  std::optional<Ending> examine_tree();
  Ending too_many_processes();
  bool is_memory_exceeded(const std::vector<pid_t>& tree, uint64_t resident) const;
  bool is_folder_too_large();

  const SandboxedCommand& command_;
  const ResourceGroup& group_;
  const RunningProgram& program_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_folder_look_ = start_;
  int signal_ = 0;
  double cpu_seconds_ = 0;
  uint64_t peak_memory_ = 0;
};

}  // namespace cuset::sandbox
