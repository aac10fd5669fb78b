// What one start costs: the program `true` alone, with limits, and in full confinement; and several side by
// side.
#include <benchmark/benchmark.h>

#include "base/files/temporary_folder.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"

namespace cuset {
namespace {

void start_plain(benchmark::State& state) {
  for (auto _ : state) {
    if (!run_process({"/bin/true"}).succeeded()) state.SkipWithError("/bin/true fails");
  }
}
BENCHMARK(start_plain)->Unit(benchmark::kMillisecond)->UseRealTime();

void start_sandboxed(benchmark::State& state, Confinement confinement) {
  const TemporaryFolder folder;
  SandboxedCommand command;
  command.arguments = {"/bin/true"};
  command.folder = folder.path();
  command.confinement = confinement;
  for (auto _ : state) {
    if (!run_sandboxed(command).succeeded()) state.SkipWithError("/bin/true fails in the sandbox");
  }
}
BENCHMARK_CAPTURE(start_sandboxed, limits, Confinement::kLimits)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(start_sandboxed, full, Confinement::kFull)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(start_sandboxed, full_side_by_side, Confinement::kFull)
    ->Unit(benchmark::kMillisecond)
    ->Threads(8)
    ->UseRealTime();

}  // namespace
}  // namespace cuset

BENCHMARK_MAIN();
