// What one start costs: the program `true` alone, with limits, and in full confinement; and several side by
// side.
#include <benchmark/benchmark.h>

#include "base/files/temporary_folder.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"

namespace cuset::bench {
namespace {

void start_plain(benchmark::State& state) {
  for (auto _ : state) {
    if (!sandbox::run_process({"/bin/true"}).succeeded()) state.SkipWithError("/bin/true fails");
  }
}
BENCHMARK(start_plain)->Unit(benchmark::kMillisecond)->UseRealTime();

void start_sandboxed(benchmark::State& state, sandbox::Confinement confinement) {
  const base::TemporaryFolder folder;
  sandbox::SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = folder.path();
  command.confinement = confinement;
  for (auto _ : state) {
    if (!sandbox::run_sandboxed(command).succeeded()) state.SkipWithError("/bin/true fails in the sandbox");
  }
}
BENCHMARK_CAPTURE(start_sandboxed, limits, sandbox::Confinement::kLimits)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(start_sandboxed, full, sandbox::Confinement::kFull)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(start_sandboxed, full_side_by_side, sandbox::Confinement::kFull)
    ->Unit(benchmark::kMillisecond)
    ->Threads(8)
    ->UseRealTime();

}  // namespace
}  // namespace cuset::bench

BENCHMARK_MAIN();
