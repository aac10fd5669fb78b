#include "execute/run/split_run.h"

#include <future>

#include "base/interrupt.h"
#include "execute/record/run_outcome.h"
#include "execute/run/process_pipes.h"

namespace cuset::execute {

// The pipes lie in a folder that neither process can write to, which does not keep them from using the pipes.
SplitRun run_two_processes(const SplitOptions& options, const std::filesystem::path& folder,
                           const ProcessPipes& pipes, const SplitProcesses& processes) {
  auto of_device = base::async_in_scope([&] {
    Run run = processes.device(pipes.folder());
    pipes.release();
    return run;
  });
  SplitRun split;
  if (options.replayed_requests.empty()) split.host = processes.host(pipes.folder());
  pipes.release();
  split.device = of_device.get();
  take_downloads(folder, split);
  return split;
}

void recognize_unsupported(Run& run) {
  constexpr int kUnsupportedStatus = 87;
  const RunFinding* construct = find_finding(run.findings, "unsupported");
  if (construct == nullptr || run.process.ending != sandbox::Ending::kExited ||
      run.process.exit_status != kUnsupportedStatus)
    return;
  run.outcome = Run::Outcome::kUnsupported;
  run.explanation = construct->text;
}

}  // namespace cuset::execute
