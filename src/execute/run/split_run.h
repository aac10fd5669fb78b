// Runs host code and kernels of one program as two processes that talk through pipes (docs/proof-of-work.md).
#pragma once

#include <filesystem>
#include <functional>

#include "execute/executor.h"
#include "execute/run/device_folder.h"
#include "execute/run/process_pipes.h"

namespace cuset::execute {

struct SplitProcesses {
  // Each runs its process to the end; `pipes` is the folder of the pipes.
  std::function<Run(const std::filesystem::path& pipes)> host;
  std::function<Run(const std::filesystem::path& pipes)> device;
};

// Where requests are replayed, the host is not started. `folder` is where the device works.
SplitRun run_two_processes(const SplitOptions& options, const std::filesystem::path& folder,
                           const ProcessPipes& pipes, const SplitProcesses& processes);

// The emulator's runtime ends a program that asks for what it does not have with a status of its own, and says
// so in the record: `run` becomes kUnsupported. A program that ends so by itself has no such record.
void recognize_unsupported(Run& run);

}  // namespace cuset::execute
