#include "execute/run/gpu_executor.h"

#include "base/error.h"
#include "base/log.h"
#include "execute/build/cached_build.h"
#include "execute/build/compiler_messages.h"
#include "execute/record/run_outcome.h"
#include "execute/record/run_record.h"
#include "execute/run/gpu_gate.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

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
      proof_(choose_kernel_proof(toolkit_, settings.gpu)),
      compiler_(toolkit_, {settings.confinement, settings.compile_limits, proof_.shared_runtime}),
      cache_({.folder = settings.cache.empty() ? default_cache_folder() : settings.cache}),
      queue_(device_.uuid, settings.gpu_programs) {}

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
  command.readable.insert(command.readable.end(), proof_.readable.begin(), proof_.readable.end());
  if (!device_.driver_library.empty()) command.readable.push_back(device_.driver_library.parent_path());
  command.environment = proof_.environment;
  command.environment["CUDA_VISIBLE_DEVICES"] = device_.uuid;
  command.environment["CUDA_CACHE_DISABLE"] = "1";  // nothing compiled for one program serves another
  command.environment["LD_LIBRARY_PATH"] = library_path(toolkit_, device_);
  command.gpu = true;
  command.limits = options.limits;
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
  run.proof = find_finding(run.findings, "unrecorded") == nullptr ? proof_.name : "none";
  run.was_shared = turn.was_shared();
  if (leaves_doubt(run)) check_device(run);
  return run;
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
