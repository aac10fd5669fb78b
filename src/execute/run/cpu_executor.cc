#include "execute/run/cpu_executor.h"

#include <algorithm>
#include <future>
#include <map>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/lines.h"
#include "base/log.h"
#include "base/machine/machine_share.h"
#include "emulator/device_account.h"
#include "emulator/execution_record.h"
#include "execute/build/bracket_check.h"
#include "execute/build/cached_build.h"
#include "execute/build/cccl.h"
#include "execute/build/clusters.h"
#include "execute/build/companion_sources.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/cpu_build.h"
#include "execute/build/emulator_messages.h"
#include "execute/build/leading_headers.h"
#include "execute/build/nvcc_dialect.h"
#include "execute/build/precompiled_headers.h"
#include "execute/build/quick_linker.h"
#include "execute/build/unused_libraries.h"
#include "execute/record/run_outcome.h"
#include "execute/record/run_record.h"
#include "execute/run/gpu_gate.h"
#include "execute/run/order_trial.h"
#include "execute/run/split_run.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Those that the emulator's device code is told about.
constexpr const char* kJudgedArchitecture = "sm_80";
constexpr const char* kClusterArchitecture = "sm_90";
constexpr const char* kThreadsVariable = "CUSET_EMULATOR_THREADS";
constexpr const char* kOrderVariable = "CUSET_EMULATOR_SCHEDULE";

// What -march=native depends on.
std::string processor() {
  const std::string text = base::read_file("/proc/cpuinfo");
  std::string identity;
  for (const char* field : {"vendor_id", "cpu family", "model", "flags"}) {
    const auto lines = base::lines_of(text);
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](auto candidate) { return candidate.starts_with(field); });
    if (line != lines.end()) identity.append(*line).append("\n");
  }
  return identity;
}

std::string digest_of(const emulator::EmulatorToolchain& toolchain) {
  CacheKey key;
  key.add("clang", toolchain.version).add("processor", processor());
  for (const std::string& word : toolchain.linker) key.add("linker", word);
  key.add("pass", base::read_file(toolchain.pass));
  key.add_folder("include", toolchain.include);
  key.add("libraries", toolchain.libraries.string());          // named by what it holds
  key.add("runtime_path", toolchain.runtime_folder.string());  // where the program looks for it
  key.add_folder("runtime", toolchain.runtime_folder);
  return key.digest();
}

emulator::EmulatorToolchain with_quick_linker(emulator::EmulatorToolchain toolchain) {
  find_quick_linker(toolchain);
  return toolchain;
}

// One copy serves all caches of a user: it takes a second to make, and depends on CCCL alone.
emulator::EmulatorToolchain with_libraries(emulator::EmulatorToolchain toolchain) {
  const std::optional<fs::path> cccl = find_cccl();
  if (!cccl) return toolchain;
  try {
    toolchain.libraries = adapted_cccl(*cccl, default_cache_folder().parent_path() / "cccl");
  } catch (const base::Error& error) {
    base::log_warning("without Thrust and CUB: {}", error.one_line());
  }
  return toolchain;
}

// The pass says what ptxas would: nvcc, which is asked about device code up to PTX, does not.
bool exceeds_gpu(const std::string& messages) {
  return messages.find("uses too much shared data") != std::string::npos;
}

// Programs that name clusters get a device that has them, unless they are compiled for another.
bool needs_clusters(const CpuBuildRequest& request) {
  const BuildOptions& options = request.options;
  if (!options.architecture.empty() && !has_clusters(options.architecture)) return false;
  if (names_clusters(request.source.text)) return true;
  return std::any_of(options.companions.files.begin(), options.companions.files.end(),
                     [](const auto& file) { return names_clusters(file.second); });
}

// A toolkit without the library's header (nvcc alone, from a wheel) cannot tell, nor can nvcc without -rdc=true of kernels
// that launch kernels.
bool is_refused(const Build& build) {
  const bool failed =
      build.outcome == Build::Outcome::kCompileError || build.outcome == Build::Outcome::kLinkError;
  return failed && missing_cuda_header(build.messages).empty() && !names_dynamic_parallelism(build.messages);
}

// nvcc compiles it: that clang does not is the emulator's lack, not the program's error. nvcc does not: then the emulator
// lacks nothing.
void respect_verdict(const Build& verdict, Build& build) {
  build.compiler = fmt::format("{}, {}", verdict.compiler, build.compiler);
  build.seconds += verdict.seconds;
  if (build.outcome == Build::Outcome::kUnsupported && is_refused(verdict)) {
    build.outcome = verdict.outcome;
    build.messages = verdict.messages;
  }
  if (build.outcome != Build::Outcome::kCompileError || !verdict.done()) return;
  build.outcome = Build::Outcome::kUnsupported;
  build.messages += fmt::format("nvcc compiles this program; unsupported: {}\n", first_error(build.messages));
}

}  // namespace

class CpuExecutor : public Executor {
 public:
  CpuExecutor(ExecutorSettings settings, emulator::EmulatorToolchain toolchain)
      : settings_(std::move(settings)),
        toolchain_(with_libraries(with_quick_linker(std::move(toolchain)))),
        toolchain_digest_(digest_of(toolchain_)),
        cache_({.folder = settings_.cache.empty() ? default_cache_folder() : settings_.cache}) {}

  std::string name() const override { return "cpu"; }
  std::string description() const override {
    return fmt::format("CPU, {} thread{}, clang {}", base::usable_processors(),
                       base::usable_processors() == 1 ? "" : "s", toolchain_.version);
  }

  Build build(const fs::path& source, const BuildOptions& options) override;
  Run run(const Build& build, const RunOptions& options) override;
  std::optional<SplitRun> run_split(const Build& build, const RunOptions& options,
                                    const SplitOptions& split) override;
  Executor* checking_executor() override { return this; }

 private:
  // One process of a program.
  struct Process {
    std::vector<std::string> arguments;  // the program first
    fs::path folder;
    std::vector<fs::path> readable = {};
    std::map<std::string, std::string> environment = {};
  };

  std::string digest_of_build(const CudaSource& source, const BuildOptions& options) const;
  enum class Question { kDeviceCode, kWholeProgram };
  std::optional<Build> ask_nvcc(const CudaSource& source, BuildOptions options, Question question);
  PrecompiledHeaders* precompiled_headers(const CpuBuildRequest& request);
  void add_plain_objects(CpuBuildRequest& request);
  Build build_quickly(CpuBuildRequest request);
  Run run_process(const Build& build, const RunOptions& options, const Process& process) const;
  bool is_habit_of_library(const RunFinding& finding) const;
  Build build_what_is_used(CpuBuildRequest request, Build unsupported);
  Run run_in_order(const Build& build, const RunOptions& options, const fs::path& folder,
                   uint64_t order) const;

  ExecutorSettings settings_;
  emulator::EmulatorToolchain toolchain_;
  std::string toolchain_digest_;
  BuildCache cache_;
  std::mutex precompiled_mutex_;
  std::map<std::string, PrecompiledHeaders> precompiled_;  // by the options they are made for
  std::once_flag nvcc_searched_;
  std::optional<NvccCompiler> nvcc_;
};

std::string CpuExecutor::digest_of_build(const CudaSource& source, const BuildOptions& options) const {
  CacheKey key;
  key.add("executor", "cpu").add("toolchain", toolchain_digest_).add("source", source.text);
  key.add("name", name_in_sandbox(source.path)).add("dialect", kDialectVersion);
  key.add("standard", options.standard).add("optimisation", std::to_string(options.optimization));
  key.add("check", options.check ? "1" : "0").add("clusters", options.uses_clusters ? "1" : "0");
  for (const std::string& define : options.defines) key.add("define", define);
  for (const std::string& flag : options.nvcc_flags) key.add("flag", flag);
  key.add("relocatable", options.relocatable ? "1" : "0");
  add_to_key(key, options.companions);
  for (const auto& folders : {options.include_folders, options.source_folders, options.visible_folders}) {
    key.add("folders", std::to_string(folders.size()));
    for (const fs::path& folder : folders) {
      key.add("include", folder.empty() ? "" : fs::absolute(folder).string());
      if (!folder.empty() && !key.add_folder("headers", folder)) return unrepeatable_digest();
    }
  }
  return key.digest();
}

Build CpuExecutor::build(const fs::path& source, const BuildOptions& wanted) {
  CpuBuildRequest request{.source = CudaSource::read(source),
                          .options = wanted,
                          .folder = {},
                          .limits = settings_.compile_limits,
                          .confinement = settings_.confinement};
  request.options.uses_clusters = needs_clusters(request);
  const BuildOptions options = request.options;
  const std::string digest = digest_of_build(request.source, options);
  std::optional<Build> verdict;
  if (options.judge_with_nvcc) verdict = ask_nvcc(request.source, options, Question::kDeviceCode);
  if (verdict && !verdict->done()) return *verdict;
  Build build = build_through_cache(cache_, digest, [&](const fs::path& folder) {
    request.folder = folder;
    add_plain_objects(request);
    return build_quickly(request);
  });
  if (build.outcome == Build::Outcome::kUnsupported) build = build_what_is_used(request, std::move(build));
  // What fails to link has to be linked to know; for the rest the cheaper question is enough.
  const bool is_unlinked = !undefined_cuda_functions(build.messages).empty();
  if (build.outcome == Build::Outcome::kUnsupported && (is_unlinked || !verdict))
    verdict =
        ask_nvcc(request.source, options, is_unlinked ? Question::kWholeProgram : Question::kDeviceCode);
  const bool in_doubt = build.outcome == Build::Outcome::kCompileError &&
                        !has_unmatched_brackets(request.source.text) && !refusal_in(build.messages) &&
                        !exceeds_gpu(build.messages);
  if (in_doubt && !verdict) verdict = ask_nvcc(request.source, options, Question::kDeviceCode);
  // Compiling device code alone leaves templates of host code unread.
  if (in_doubt && verdict && verdict->done())
    verdict = ask_nvcc(request.source, options, Question::kWholeProgram);
  // What nvcc would have said is not known: no outcome.
  if (verdict && verdict->outcome == Build::Outcome::kInterrupted) return *verdict;
  build.messages = show_source(build.messages, source);
  if (verdict) respect_verdict(*verdict, build);
  if (build.outcome == Build::Outcome::kUnsupported)
    build.messages = without_follow_up_errors(build.messages);
  build.source = source;
  build.command = show_source(build.command, source);
  return build;
}

// Those made for the request's options; nothing where files or folders of its own might shadow a header.
PrecompiledHeaders* CpuExecutor::precompiled_headers(const CpuBuildRequest& request) {
  const BuildOptions& options = request.options;
  const CompanionSources& companions = options.companions;
  if (options.uses_clusters || !options.defines.empty() || !options.include_folders.empty() ||
      !options.source_folders.empty() || !options.nvcc_flags.empty() || options.relocatable ||
      !companions.files.empty() || !companions.include_folders.empty() || !companions.host_sources.empty())
    return nullptr;
  const std::string kind =
      fmt::format("{} {} {} {}", toolchain_digest_, options.standard, options.optimization, options.check);
  const std::lock_guard lock(precompiled_mutex_);
  if (const auto known = precompiled_.find(kind); known != precompiled_.end()) return &known->second;
  CpuBuildRequest of_headers = request;
  of_headers.source = {};
  const auto make = [this, of_headers](const HeaderSet& headers, const fs::path& folder) {
    CpuBuildRequest in_folder = of_headers;
    in_folder.folder = folder;
    return precompile_for_cpu(toolchain_, in_folder, headers);
  };
  return &precompiled_.try_emplace(kind, cache_, kind, make).first->second;
}

// Sources of ours are the same for all answers to a task, most for all tasks: compiled once, kept in the cache.
void CpuExecutor::add_plain_objects(CpuBuildRequest& request) {
  for (const auto& [name, text] : request.options.companions.plain_sources) {
    CacheKey key;
    key.add("plain", toolchain_digest_).add("name", name).add("source", text);
    const std::string digest = key.digest();
    std::optional<fs::path> entry = cache_.find(digest);
    if (!entry) {
      StagingFolder staged = cache_.stage();
      CpuBuildRequest apart = request;
      apart.folder = staged.path();
      apart.plain_objects.clear();
      if (!compile_plain_for_cpu(toolchain_, apart, name)) continue;  // the build says why
      entry = cache_.publish(digest, std::move(staged));
    }
    request.plain_objects[name] = *entry / (name + ".o");
  }
}

// Behind precompiled headers where that can be. clang names them where it refuses them (a header of the
// system has changed): then without.
Build CpuExecutor::build_quickly(CpuBuildRequest request) {
  PrecompiledHeaders* headers = precompiled_headers(request);
  if (headers != nullptr) request.precompiled = headers->folder_for(leading_headers(request.source.text));
  Build build = build_for_cpu(toolchain_, request);
  if (request.precompiled.empty() || build.outcome != Build::Outcome::kCompileError) return build;
  const bool refused = build.messages.find(request.precompiled.string()) != std::string::npos;
  if (refused) headers->discard(request.precompiled);
  if (!refused && build.messages.find("AST file") == std::string::npos) return build;
  request.precompiled.clear();
  return build_for_cpu(toolchain_, request);
}

// Once more without the libraries that the emulator lacks, which the program may not use at all.
Build CpuExecutor::build_what_is_used(CpuBuildRequest request, Build unsupported) {
  const auto build_with = [&](const fs::path& headers) {
    CpuBuildRequest without = request;
    without.options.include_folders.insert(without.options.include_folders.begin(), headers);
    CacheKey key;
    key.add("without", digest_of_build(request.source, request.options)).add_folder("headers", headers);
    return build_through_cache(cache_, key.digest(), [&](const fs::path& folder) {
      without.folder = folder;
      return build_for_cpu(toolchain_, without);
    });
  };
  return without_unused_libraries(std::move(unsupported), toolchain_.include, build_with);
}

// Whether nvcc compiles the source; its device code alone costs a third. Nothing where there is no nvcc.
std::optional<Build> CpuExecutor::ask_nvcc(const CudaSource& source, BuildOptions options,
                                           Question question) {
  std::call_once(nvcc_searched_, [&] {
    if (const std::optional<Nvcc> nvcc = find_nvcc()) {
      nvcc_.emplace(find_toolkit(*nvcc), NvccSettings{settings_.confinement, settings_.compile_limits});
    }
  });
  if (!nvcc_) return std::nullopt;
  if (options.architecture.empty())
    options.architecture = options.uses_clusters ? kClusterArchitecture : kJudgedArchitecture;
  const bool is_whole = question == Question::kWholeProgram;
  std::string digest = nvcc_->digest(source, options, is_whole ? "whole program" : "check");
  if (digest.empty()) digest = unrepeatable_digest();
  Build verdict = build_through_cache(cache_, digest, [&](const fs::path& folder) {
    return is_whole ? nvcc_->build(source, options, folder) : nvcc_->check(source, options, folder);
  });
  verdict.source = source.path;
  verdict.messages = show_source(verdict.messages, source.path);
  verdict.command = show_source(verdict.command, source.path);
  return verdict;
}

// `order` 0 is the usual one.
Run CpuExecutor::run_in_order(const Build& build, const RunOptions& options, const fs::path& folder,
                              uint64_t order) const {
  if (!fs::exists(build.program)) {
    throw base::Error("{} is no longer in the cache of objects", build.program.string())
        .with_remedy("build it again");
  }
  if (options.waits_at_gate) open_gate(folder);  // all have the processor at once
  Process process{.arguments = {build.program.string()}, .folder = folder};
  process.arguments.insert(process.arguments.end(), options.arguments.begin(), options.arguments.end());
  const char* each_trial = options.next_order_with_each_trial ? "+" : "";
  process.environment[kOrderVariable] = fmt::format("{}{}", order, each_trial);
  return run_process(build, options, process);
}

// CUB copies registers that it never set and sends messages of 16 bytes between blocks without atomic operations: neither is
// the program's mistake. A wrong address is, wherever it is used.
bool CpuExecutor::is_habit_of_library(const RunFinding& finding) const {
  if (toolchain_.libraries.empty() || finding.file.find(toolchain_.libraries.filename()) == std::string::npos)
    return false;
  return finding.kind == "uninitialised_read" || finding.kind == "shared_race" ||
         finding.kind == "global_race";
}

Run CpuExecutor::run_process(const Build& build, const RunOptions& options, const Process& started) const {
  const RunRecordFile record(record_path_in(started.folder));
  sandbox::SandboxedCommand command;
  command.arguments = started.arguments;
  command.folder = fs::absolute(started.folder);
  command.readable = started.readable;
  command.readable.insert(command.readable.end(), {build.folder, toolchain_.runtime_folder});
  command.environment = started.environment;
  command.environment[CUSET_RECORD_VARIABLE] = record.path().string();
  command.environment[kThreadsVariable] = std::to_string(base::usable_processors());
  // Host and device share the memory: what asks for more is refused, not killed.
  command.environment[CUSET_MEMORY_VARIABLE] = std::to_string(options.limits.memory / 4 * 3);
  command.limits = options.limits;
  command.limits.processes += base::usable_processors();  // the emulator's own workers
  command.confinement = settings_.confinement;
  const sandbox::SandboxResult process = sandbox::run_sandboxed(command);
  Run run = classify_run(process, record.read(), options.limits);
  run.proof = "emulator";
  recognize_unsupported(run);
  std::erase_if(run.findings, [&](const RunFinding& finding) { return is_habit_of_library(finding); });
  for (RunFinding& finding : run.findings) {
    if (fs::path(finding.file).filename() == name_in_sandbox(build.source))
      finding.file = build.source.string();
  }
  return run;
}

Run CpuExecutor::run(const Build& build, const RunOptions& options) {
  if (options.schedules <= 1) return run_in_order(build, options, options.folder, options.order);
  const base::TemporaryFolder untouched;
  base::copy_folder(options.folder, untouched.path());
  Run usual = run_in_order(build, options, options.folder, 0);
  const OrderTrial trial{
      .run = [&](uint64_t order,
                 const fs::path& folder) { return run_in_order(build, options, folder, order); },
      .untouched = untouched.path(),
      .left = options.folder,
      .orders = options.schedules - 1,
      .seed = options.seed};
  try_orders(trial, usual);
  return usual;
}

std::optional<SplitRun> CpuExecutor::run_split(const Build& build, const RunOptions& options,
                                               const SplitOptions& wanted) {
  const fs::path device_program = build.program.parent_path() / emulator::kDeviceProgram;
  if (!fs::exists(device_program)) return std::nullopt;
  const DeviceFolder device_folder(wanted);
  SplitProcesses processes;
  processes.host = [&](const fs::path& pipes) {
    Process host{.arguments = {build.program.string()},
                 .folder = options.folder,
                 .readable = {pipes},
                 .environment = {{CUSET_REMOTE_VARIABLE, pipes.string()}}};
    host.arguments.insert(host.arguments.end(), options.arguments.begin(), options.arguments.end());
    return run_process(build, options, host);
  };
  processes.device = [&](const fs::path& pipes) {
    const Process device{.arguments = {device_program.string(), pipes.string()},
                         .folder = device_folder.path(),
                         .readable = {pipes}};
    return run_process(build, options, device);
  };
  return run_two_processes(wanted, device_folder.path(), ProcessPipes(), processes);
}

std::unique_ptr<Executor> make_cpu_executor(const ExecutorSettings& settings) {
  emulator::ToolchainSearch search = emulator::find_emulator_toolchain();
  if (!search.toolchain) {
    throw base::Error("the CPU executor cannot work here: {}", search.missing)
        .with_remedy("{}", search.remedy);
  }
  return std::make_unique<CpuExecutor>(settings, *std::move(search.toolchain));
}

}  // namespace cuset::execute
