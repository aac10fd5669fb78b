#include "execute/run/gpu_executor.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "base/log.h"
#include "emulator/device_account.h"
#include "emulator/toolchain.h"
#include "execute/build/cached_build.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/host_program.h"
#include "execute/gpu/installed_file.h"
#include "execute/record/run_outcome.h"
#include "execute/record/run_record.h"
#include "execute/run/gpu_gate.h"
#include "execute/run/split_run.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestMemory = 256ull << 30;  // the process of the GPU keeps room for four times as much

base::GpuInfo find_device(int index) {
  GpuProbe probe = probe_gpu(index, ProbeDepth::kDescribe);
  if (!probe.device) {
    throw base::Error("no GPU to run on: {}", probe.problem)
        .with_remedy("--executor cpu runs it here; cuset doctor says what is missing");
  }
  return *probe.device;
}

NvccToolkit find_compiler() {
  const std::optional<Nvcc> nvcc = find_nvcc();
  if (!nvcc) {
    throw base::Error("no nvcc to compile with")
        .with_remedy("install the CUDA toolkit or name nvcc in CUDACXX; --executor cpu works without it");
  }
  return find_toolkit(*nvcc);
}

// Where a program of a CUDA build finds its libraries: the driver's folder may be known to us by
// LD_LIBRARY_PATH alone.
std::string library_path(const NvccToolkit& toolkit, const base::GpuInfo& device) {
  const std::string driver = device.driver_library.parent_path().string();
  return driver.empty() ? toolkit.libraries.string() : toolkit.libraries.string() + ":" + driver;
}

// Contexts that are kept take memory that programs may need.
size_t most_contexts(const base::GpuInfo& device) {
  constexpr uint64_t kForEach = 8ull << 30;
  return std::clamp<size_t>(device.memory_bytes / kForEach, 1, 12);
}

GatedTurn::Wants wants_of(const RunOptions& options) {
  const GpuQueue::Want want = options.exclusive ? GpuQueue::Want::kExclusive : GpuQueue::Want::kShared;
  if (!options.waits_at_gate) return {want, std::nullopt};
  return {GpuQueue::Want::kShared, want};
}

}  // namespace

GpuExecutor::GpuExecutor(const ExecutorSettings& settings)
    : settings_(settings),
      device_(find_device(settings.gpu)),
      toolkit_(find_compiler()),
      recorder_(choose_kernel_recorder(toolkit_, settings.gpu)),
      host_runtime_(emulator::find_runtime_folder()),
      device_program_(find_installed_file("cuset_gpu_device", CUSET_GPU_DEVICE)),
      compiler_(toolkit_,
                {settings.confinement, settings.compile_limits, recorder_.shared_runtime, host_runtime_}),
      cache_({.folder = settings.cache.empty() ? default_cache_folder() : settings.cache}),
      queue_(device_.uuid, settings.gpu_programs),
      warm_(device_program_, most_contexts(device_),
            [this](sandbox::SandboxedCommand command) { return on_gpu(std::move(command)); }),
      awake_(settings.gpu) {}

std::string GpuExecutor::description() const {
  return fmt::format("{} ({}), {}", device_.name, device_.architecture(), compiler_.description());
}

Build GpuExecutor::compile(const fs::path& path, BuildOptions options, std::string_view stage,
                           CompileStage how) {
  if (options.architecture.empty()) options.architecture = device_.architecture();
  const CudaSource source = CudaSource::read(path);
  std::string digest = compiler_.digest(source, options, stage);
  if (digest.empty()) digest = unrepeatable_digest();
  Build build = build_through_cache(
      cache_, digest, [&](const fs::path& folder) { return (compiler_.*how)(source, options, folder); });
  build.messages = show_source(build.messages, path);
  build.command = show_source(build.command, path);
  return build;
}

Build GpuExecutor::build(const fs::path& source, const BuildOptions& options) {
  return compile(source, options, "build", &NvccCompiler::build);
}

Build GpuExecutor::check(const fs::path& source, const BuildOptions& options) {
  return compile(source, options, "check", &NvccCompiler::check);
}

sandbox::SandboxedCommand GpuExecutor::command_for(const Build& build, const RunOptions& options) const {
  sandbox::SandboxedCommand command;
  command.arguments = {build.program.string()};
  command.arguments.insert(command.arguments.end(), options.arguments.begin(), options.arguments.end());
  command.folder = fs::absolute(options.folder);
  command.readable = {build.folder, toolkit_.libraries};
  command.readable.insert(command.readable.end(), recorder_.readable.begin(), recorder_.readable.end());
  command.environment = recorder_.environment;
  command.limits = options.limits;
  return on_gpu(std::move(command));
}

sandbox::SandboxedCommand GpuExecutor::on_gpu(sandbox::SandboxedCommand command) const {
  if (!device_.driver_library.empty()) command.readable.push_back(device_.driver_library.parent_path());
  command.environment["CUDA_VISIBLE_DEVICES"] = device_.uuid;
  command.environment["CUDA_CACHE_DISABLE"] = "1";  // nothing compiled for one program serves another
  command.environment["LD_LIBRARY_PATH"] = library_path(toolkit_, device_);
  command.gpu = true;
  command.confinement = settings_.confinement;
  return command;
}

Run GpuExecutor::run(const Build& build, const RunOptions& options) {
  CUSET_CHECK(build.done(), "a build that ended with {} cannot be run", static_cast<int>(build.outcome));
  GatedTurn turn(queue_, options.folder, wants_of(options));
  if (std::string lost = lost_device(); !lost.empty()) {
    Run refused;
    refused.outcome = Run::Outcome::kDeviceLost;
    refused.explanation = std::move(lost);
    return refused;
  }
  if (!cache_.mark_used(build.folder)) {
    throw base::Error("{} is no longer in the cache of objects", build.program.string())
        .with_remedy("build it again");
  }
  const RunRecordFile file(record_path_in(options.folder));
  sandbox::SandboxedCommand command = command_for(build, options);
  command.waited = [&] { return turn.waited(); };
  file.announce_in(command.environment);
  sandbox::SandboxResult process = sandbox::run_sandboxed(command);
  Run run = classify_run(std::move(process), file.read(), options.limits);
  run.proof = find_finding(run.findings, "unrecorded") == nullptr ? recorder_.name : "none";
  run.was_shared = turn.was_shared();
  if (leaves_doubt(run)) check_device(run);
  return run;
}

// The program's host code, which has no GPU.
Run GpuExecutor::run_host(const Split& split, const fs::path& pipes) const {
  const RunRecordFile record(record_path_in(split.options.folder));
  sandbox::SandboxedCommand command;
  command.arguments = {(split.build.folder / kHostProgram).string()};
  command.arguments.insert(command.arguments.end(), split.options.arguments.begin(),
                           split.options.arguments.end());
  command.folder = fs::absolute(split.options.folder);
  command.readable = {split.build.folder, host_runtime_, pipes};
  command.environment[CUSET_REMOTE_VARIABLE] = pipes.string();
  command.environment[CUSET_MEMORY_VARIABLE] = std::to_string(std::min(device_.memory_bytes, kLargestMemory));
  command.limits = split.options.limits;
  command.waited = [&] { return split.turn.waited(); };
  command.confinement = settings_.confinement;
  record.announce_in(command.environment);
  sandbox::SandboxResult process = sandbox::run_sandboxed(command);
  Run run = classify_run(std::move(process), record.read(), split.options.limits);
  recognize_unsupported(run);
  return run;
}

// The GPU, with device code that the host sends. A record of its kernels is as good as our own process.
Run GpuExecutor::run_device(const Split& split, const fs::path& pipes, const fs::path& folder) const {
  const RunRecordFile record(record_path_in(folder));
  sandbox::SandboxedCommand command;
  command.arguments = {device_program_.string(), pipes.string()};
  command.folder = folder;
  command.readable = {device_program_.parent_path(), pipes};
  if (split.wanted.timed) {
    command.readable.insert(command.readable.end(), recorder_.readable.begin(), recorder_.readable.end());
    command.environment = recorder_.environment;
    record.announce_in(command.environment);
  }
  command.limits = split.options.limits;
  command.waited = [&] { return split.turn.waited(); };
  sandbox::SandboxResult process = sandbox::run_sandboxed(on_gpu(std::move(command)));
  return classify_run(std::move(process), record.read(), split.options.limits);
}

std::optional<SplitRun> GpuExecutor::run_split(const Build& build, const RunOptions& options,
                                               const SplitOptions& wanted) {
  CUSET_CHECK(build.done(), "a build that ended with {} cannot be run", static_cast<int>(build.outcome));
  if (device_program_.empty() || host_runtime_.empty()) return std::nullopt;
  SplitRun result;
  if (!fs::exists(build.folder / kHostProgram)) {
    const fs::path fault = build.folder / kHostFault;
    result.host.outcome = Run::Outcome::kUnsupported;
    result.host.explanation = fs::exists(fault) ? base::read_file(fault) : "its host code";
    return result;
  }
  return wanted.timed ? run_timed(build, options, wanted) : run_warm(build, options, wanted);
}

// In a process that serves other programs, too.
SplitRun GpuExecutor::run_warm(const Build& build, const RunOptions& options, const SplitOptions& wanted) {
  GatedTurn turn(queue_, options.folder,
                 {options.exclusive ? GpuQueue::Want::kExclusive : GpuQueue::Want::kShared, std::nullopt});
  const Split split{build, options, wanted, turn};
  return run_unless_lost(turn, [&] {
    return warm_.run({wanted, wanted.trusted, options.limits,
                      [&](const fs::path& pipes) { return run_host(split, pipes); }});
  });
}

// In a process of its own, which is measured while it has the GPU to itself.
SplitRun GpuExecutor::run_timed(const Build& build, const RunOptions& options, const SplitOptions& wanted) {
  const DeviceFolder folder(wanted);
  GatedTurn turn(queue_, folder.path(), {GpuQueue::Want::kShared, GpuQueue::Want::kExclusive});
  const Split split{build, options, wanted, turn};
  const SplitProcesses processes{
      [&](const fs::path& pipes) { return run_host(split, pipes); },
      [&](const fs::path& pipes) { return run_device(split, pipes, folder.path()); }};
  return run_unless_lost(turn,
                         [&] { return run_two_processes(wanted, folder.path(), ProcessPipes(), processes); });
}

SplitRun GpuExecutor::run_unless_lost(GatedTurn& turn, const std::function<SplitRun()>& run) {
  SplitRun result;
  if (std::string lost = lost_device(); !lost.empty()) {
    result.device.outcome = Run::Outcome::kDeviceLost;
    result.device.explanation = std::move(lost);
    return result;
  }
  result = run();
  result.device.was_shared = turn.was_shared();
  if (leaves_doubt(result.device)) check_device(result.device);
  return result;
}

// A GPU checks nothing, and nvcc's host compiler does not count: the CPU executor does both, for the same source.
Executor* GpuExecutor::checking_executor() {
  std::call_once(checking_made_, [this] {
    if (emulator::find_emulator_toolchain().toolchain) checking_ = make_cpu_executor(settings_);
  });
  return checking_.get();
}

std::string GpuExecutor::lost_device() {
  const std::lock_guard lock(lost_mutex_);
  return lost_;
}

void GpuExecutor::check_device(Run& run) {
  const GpuProbe probe = probe_gpu(settings_.gpu, ProbeDepth::kRunKernel);
  if (probe.healthy) return;
  const std::lock_guard lock(lost_mutex_);
  lost_ =
      fmt::format("{} does not work any more: {}; it is used no further until this program is started again",
                  device_.name, probe.problem.empty() ? "its results are wrong" : probe.problem);
  base::log_warning("{}", lost_);
  run.outcome = Run::Outcome::kDeviceLost;
  run.explanation += run.explanation.empty() ? lost_ : "; then " + lost_;
}

std::unique_ptr<Executor> make_gpu_executor(const ExecutorSettings& settings) {
  return std::make_unique<GpuExecutor>(settings);
}

}  // namespace cuset::execute
