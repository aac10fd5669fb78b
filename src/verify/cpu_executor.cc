#include "verify/cpu_executor.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <random>

#include "base/copy_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "base/human_readable.h"
#include "base/lines.h"
#include "base/temporary_folder.h"
#include "emulator/execution_record.h"
#include "verify/cached_build.h"
#include "verify/compiler_messages.h"
#include "verify/cpu_build.h"
#include "verify/order_check.h"
#include "verify/run_outcome.h"
#include "verify/run_record.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordName = ".cuset-execution-record";
constexpr const char* kJudgedArchitecture = "sm_80";  // the one that the emulator's device code is told about
constexpr const char* kThreadsVariable = "CUSET_EMULATOR_THREADS";
constexpr const char* kOrderVariable = "CUSET_EMULATOR_SCHEDULE";

uint32_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<uint32_t>(CPU_COUNT(&set)) : 1;
}

// What -march=native depends on.
std::string processor() {
  const std::string text = read_file("/proc/cpuinfo");
  std::string identity;
  for (const char* field : {"vendor_id", "cpu family", "model", "flags"}) {
    const auto lines = lines_of(text);
    const auto line = std::find_if(lines.begin(), lines.end(), [&](auto candidate) { return candidate.starts_with(field); });
    if (line != lines.end()) identity.append(*line).append("\n");
  }
  return identity;
}

// The name of a build that nobody will look for again.
std::string used_once() {
  std::random_device random;
  return CacheKey().add("once", fmt::format("{} {} {}", random(), random(), ::getpid())).digest();
}

std::string digest_of(const EmulatorToolchain& toolchain) {
  CacheKey key;
  key.add("clang", toolchain.version).add("processor", processor());
  key.add("pass", read_file(toolchain.pass));
  key.add_folder("include", toolchain.include);
  key.add_folder("runtime", toolchain.runtime_folder);
  return key.digest();
}

// nvcc compiles it: what went wrong here is the emulator's lack, not the program's error.
void respect_verdict(const Build& verdict, Build& build) {
  build.compiler = fmt::format("{}; {}", verdict.compiler, build.compiler);
  build.seconds += verdict.seconds;
  if (build.outcome != Build::Outcome::kCompileError && build.outcome != Build::Outcome::kLinkError) return;
  build.outcome = Build::Outcome::kUnsupported;
  build.messages += "unsupported: nvcc compiles this program, the emulator does not\n";
}

// The runtime ends a program that asks for what it does not have with this status, and says so in the record. A program that
// ends so by itself has no such record.
void recognise_unsupported(Run& run) {
  constexpr int kUnsupportedStatus = 87;
  const RunFinding* construct = find_finding(run.findings, "unsupported");
  if (construct == nullptr || run.process.ending != Ending::kExited || run.process.exit_status != kUnsupportedStatus) return;
  run.outcome = Run::Outcome::kUnsupported;
  run.explanation = construct->text;
}

RunTrace trace_of(const Run& run, const fs::path& folder) {
  const SandboxResult& process = run.process;
  return {.ending = run.outcome == Run::Outcome::kDone || run.outcome == Run::Outcome::kFailed
                        ? fmt::format("exit status {}", process.exit_status)
                        : run.explanation,
          .output = process.output,
          .folder = folder};
}

// Findings of the same kind and place count together.
void add_findings(const std::vector<RunFinding>& more, std::vector<RunFinding>& findings) {
  for (const RunFinding& finding : more) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const RunFinding& known) {
      return known.kind == finding.kind && known.file == finding.file && known.line == finding.line;
    });
    if (same == findings.end()) {
      findings.push_back(finding);
    } else {
      same->count += finding.count;
    }
  }
}

RunFinding order_finding(const RunTrace& usual, const RunTrace& other, const Differences& differences, uint64_t order) {
  RunFinding finding{};
  finding.kind = "order_dependent";
  finding.text =
      fmt::format("with the threads in order {}, {}", order, first_difference(usual, other, differences));
  finding.count = 1;
  return finding;
}

}  // namespace

class CpuExecutor : public Executor {
 public:
  CpuExecutor(ExecutorSettings settings, EmulatorToolchain toolchain)
      : settings_(std::move(settings)),
        toolchain_(std::move(toolchain)),
        toolchain_digest_(digest_of(toolchain_)),
        cache_({.folder = settings_.cache.empty() ? default_cache_folder() : settings_.cache}) {}

  std::string name() const override { return "cpu"; }
  std::string description() const override {
    return fmt::format("CPU, {} thread{}, clang {}", usable_cores(), usable_cores() == 1 ? "" : "s", toolchain_.version);
  }

  Build build(const fs::path& source, const BuildOptions& options) override;
  Run run(const Build& build, const RunOptions& options) override;

 private:
  std::string digest_of_build(const CudaSource& source, const BuildOptions& options) const;
  std::optional<Build> ask_nvcc(const CudaSource& source, BuildOptions options);
  Run run_in_order(const Build& build, const RunOptions& options, const fs::path& folder, uint64_t order) const;
  void try_orders(const Build& build, const RunOptions& options, const fs::path& untouched, Run& usual) const;

  ExecutorSettings settings_;
  EmulatorToolchain toolchain_;
  std::string toolchain_digest_;
  BuildCache cache_;
  std::once_flag nvcc_searched_;
  std::optional<NvccCompiler> nvcc_;
};

std::string CpuExecutor::digest_of_build(const CudaSource& source, const BuildOptions& options) const {
  CacheKey key;
  key.add("executor", "cpu").add("toolchain", toolchain_digest_).add("source", source.text);
  key.add("name", name_in_sandbox(source.path));
  key.add("standard", options.standard).add("optimisation", std::to_string(options.optimisation));
  key.add("check", options.check ? "1" : "0");
  for (const std::string& define : options.defines) key.add("define", define);
  for (const fs::path& folder : options.include_folders) {
    key.add("include", fs::absolute(folder).string());
    if (!key.add_folder("headers", folder)) return used_once();
  }
  return key.digest();
}

Build CpuExecutor::build(const fs::path& source, const BuildOptions& options) {
  CpuBuildRequest request{.source = CudaSource::read(source),
                          .options = options,
                          .folder = {},
                          .limits = settings_.compile_limits,
                          .confinement = settings_.confinement};
  const std::string digest = digest_of_build(request.source, options);
  const std::optional<Build> verdict = options.judge_with_nvcc ? ask_nvcc(request.source, options) : std::nullopt;
  if (verdict && !verdict->done()) return *verdict;
  Build build = build_through_cache(cache_, digest, [&](const fs::path& folder) {
    request.folder = folder;
    return build_for_cpu(toolchain_, request);
  });
  if (verdict) respect_verdict(*verdict, build);
  build.source = source;
  build.messages = show_source(build.messages, source);
  build.command = show_source(build.command, source);
  return build;
}

// Whether nvcc compiles the source, at small cost; nothing where there is no nvcc.
std::optional<Build> CpuExecutor::ask_nvcc(const CudaSource& source, BuildOptions options) {
  std::call_once(nvcc_searched_, [&] {
    if (const std::optional<Nvcc> nvcc = find_nvcc()) {
      nvcc_.emplace(find_toolkit(*nvcc), NvccSettings{settings_.confinement, settings_.compile_limits});
    }
  });
  if (!nvcc_) return std::nullopt;
  if (options.architecture.empty()) options.architecture = kJudgedArchitecture;
  std::string digest = nvcc_->digest(source, options, "check");
  if (digest.empty()) digest = used_once();
  Build verdict = build_through_cache(
      cache_, digest, [&](const fs::path& folder) { return nvcc_->check(source, options, folder); });
  verdict.source = source.path;
  verdict.messages = show_source(verdict.messages, source.path);
  verdict.command = show_source(verdict.command, source.path);
  return verdict;
}

// `order` 0 is the usual one.
Run CpuExecutor::run_in_order(const Build& build, const RunOptions& options, const fs::path& folder,
                              uint64_t order) const {
  const RunRecordFile record(folder / kRecordName);
  SandboxedCommand command;
  command.arguments = options.arguments;
  command.arguments.insert(command.arguments.begin(), build.program.string());
  command.folder = folder;
  command.readable = {build.folder, toolchain_.runtime_folder};
  command.environment = {{CUSET_RECORD_VARIABLE, record.path().string()},
                         {kThreadsVariable, std::to_string(usable_cores())}};
  if (order != 0) command.environment[kOrderVariable] = std::to_string(order);
  command.limits = options.limits;
  command.limits.processes += usable_cores();  // the emulator's own workers
  command.confinement = settings_.confinement;
  const SandboxResult process = run_sandboxed(command);
  Run run = judge_run(process, record.read(), options.limits);
  run.proof = "emulator";
  recognise_unsupported(run);
  for (RunFinding& finding : run.findings) {
    if (fs::path(finding.file).filename() == name_in_sandbox(build.source)) finding.file = build.source.string();
  }
  return run;
}

Run CpuExecutor::run(const Build& build, const RunOptions& options) {
  if (options.schedules <= 1) return run_in_order(build, options, options.folder, 0);
  const TemporaryFolder untouched;
  copy_folder(options.folder, untouched.path());
  Run usual = run_in_order(build, options, options.folder, 0);
  try_orders(build, options, untouched.path(), usual);
  return usual;
}

// Adds what the other orders find, and whether the program's results depend on the order.
void CpuExecutor::try_orders(const Build& build, const RunOptions& options, const fs::path& untouched,
                             Run& usual) const {
  const auto run_again = [&](uint64_t order, const fs::path& folder) {
    copy_folder(untouched, folder);
    return run_in_order(build, options, folder, order);
  };
  const RunTrace usual_trace = trace_of(usual, options.folder);
  std::optional<Differences> unsteady;  // what differs between two runs in the usual order
  for (int i = 1; i < options.schedules && usual.outcome != Run::Outcome::kInterrupted; ++i) {
    const uint64_t order = options.seed + static_cast<uint64_t>(i);
    const TemporaryFolder folder;
    const Run other = run_again(order, folder.path());
    if (other.outcome == Run::Outcome::kInterrupted) usual.outcome = other.outcome;
    add_findings(other.findings, usual.findings);
    const RunTrace trace = trace_of(other, folder.path());
    Differences differences = differences_between(usual_trace, trace);
    if (differences.empty() || usual.outcome == Run::Outcome::kInterrupted) continue;
    const TemporaryFolder again_folder;
    if (!unsteady) {
      const TemporaryFolder repeated;
      unsteady = differences_between(usual_trace, trace_of(run_again(0, repeated.path()), repeated.path()));
    }
    differences = differences.without(*unsteady);
    if (differences.empty()) continue;
    const RunTrace again = trace_of(run_again(order, again_folder.path()), again_folder.path());
    differences = differences.without(differences_between(trace, again));
    if (!differences.empty()) add_findings({order_finding(usual_trace, trace, differences, order)}, usual.findings);
  }
}

std::unique_ptr<Executor> make_cpu_executor(const ExecutorSettings& settings) {
  ToolchainSearch search = find_emulator_toolchain();
  if (!search.toolchain) {
    throw Error("the CPU executor cannot work here: {}", search.missing).with_remedy("{}", search.remedy);
  }
  return std::make_unique<CpuExecutor>(settings, *std::move(search.toolchain));
}

}  // namespace cuset
