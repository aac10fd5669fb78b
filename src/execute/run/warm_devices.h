// Processes of cuset_gpu_device (docs/proof-of-work.md) that have a context on the GPU and serve one program after the
// other: the driver makes contexts one at a time, and takes longer for one than most programs run.
//
// Kernels of two programs never run at the same time in one process. Before the next program everything of the last one is
// taken back: its code, its memory and the addresses of both. A process whose kernels failed or used the device's heap
// serves no other. Trusted programs, whose outputs answers have to match, have processes of their own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "execute/executor.h"
#include "execute/run/split_run.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

class WarmDevices {
 public:
  // `start` completes the command of a process: which GPU, which libraries.
  using Start = std::function<sandbox::SandboxedCommand(sandbox::SandboxedCommand)>;
  // At most so many processes wait for a program.
  WarmDevices(std::filesystem::path program, size_t most_idle, Start start);
  ~WarmDevices();

  struct Job {
    const SplitOptions& options;
    bool is_trusted;
    sandbox::SandboxLimits limits;  // the wall time counts from the start of the program
    std::function<Run(const std::filesystem::path& pipes)> host;
  };

  // Runs a program's host code with one of the devices. Safe to call from many threads. Throws Error where the disk fails.
  SplitRun run(const Job& job);

 private:
  class Process;

  std::unique_ptr<Process> take(bool for_trusted);
  void give_back(std::unique_ptr<Process> process);

  const std::filesystem::path program_;
  const size_t most_idle_;
  const Start start_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Process>> idle_;  // the longest idle first
};

}  // namespace cuset::execute
