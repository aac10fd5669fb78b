#include "execute/build/nvcc_compiler.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <future>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "execute/build/build_cache.h"
#include "execute/build/companion_sources.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/host_program.h"
#include "execute/build/kernel_origins.h"
#include "execute/objects/object_rules.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "program";
constexpr size_t kMostOwnObjects = 256;
constexpr const char* kCommandVersion = "2";  // part of the cache's key: changes with what nvcc is shown
constexpr const char* kKept = ".kept";        // the folder of what nvcc makes on the way

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The value of a line "#$ NAME=value" of nvcc's dry run.
std::string dry_run_value(const std::string& text, std::string_view name) {
  const std::string mark = fmt::format("#$ {}=", name);
  const size_t at = text.find(mark);
  return at == std::string::npos ? "" : first_line(text.substr(at + mark.size()));
}

fs::path library_folder(const fs::path& root) {
  for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "lib"}) {
    std::error_code ignored;
    if (fs::exists(root / folder / "libcudart_static.a", ignored)) return root / folder;
  }
  return root / "lib64";
}

std::string killed_because(const sandbox::SandboxResult& result, const sandbox::SandboxLimits& limits) {
  switch (result.ending) {
    case sandbox::Ending::kWallTime:
      return fmt::format("killed after {}",
                         base::human_duration(std::chrono::duration<double>(limits.wall_time).count()));
    case sandbox::Ending::kCpuTime:
      return "killed after all the processor time it may use";
    case sandbox::Ending::kMemory:
      return fmt::format("killed at {} of memory", base::human_bytes(limits.memory));
    case sandbox::Ending::kOutput:
      return "killed for endless messages";
    default:
      return result.stray_kill ? "killed from outside, every time" : "";
  }
}

// The object of source number `index`: 0 is the source itself, then its companions.
std::string object_name(size_t index) {
  return index == 0 ? "program.o" : fmt::format("program.{}.o", index);
}

// Ours first: of a function that several define as a weak one, the linker takes the first.
std::vector<std::string> objects_in_order(const CompanionSources& companions) {
  std::vector<std::string> ours, answers;
  for (const auto& [name, text] : companions.plain_sources) ours.push_back(name + ".o");
  for (size_t i = first_source(companions); i <= companions.sources.size(); ++i)
    (is_answer(companions, i) ? answers : ours).push_back(object_name(i));
  ours.insert(ours.end(), answers.begin(), answers.end());
  return ours;
}

ObjectRules rules_of(const CompanionSources& companions, const fs::path& folder) {
  ObjectRules rules(companions.isolation);
  for (size_t i = first_source(companions); i <= companions.sources.size(); ++i) {
    if (is_answer(companions, i))
      rules.add_answer(folder / object_name(i));
    else
      rules.add_ours(folder / object_name(i));
  }
  for (const auto& [name, text] : companions.plain_sources) rules.add_ours(folder / (name + ".o"));
  return rules;
}

// The files that nvcc kept whose names end so. Throws Error where there is none: no later nvcc may hide them.
std::vector<std::string> kept_files(const fs::path& folder, std::string_view ending) {
  std::vector<std::string> texts;
  for (const auto& entry : fs::recursive_directory_iterator(folder / kKept))
    if (entry.path().string().ends_with(ending)) texts.push_back(base::read_file(entry.path()));
  if (texts.empty()) throw base::Error("nvcc kept no {} file with --keep", ending);
  return texts;
}

BuildOptions with_flags(BuildOptions options, std::initializer_list<const char*> flags) {
  options.nvcc_flags.insert(options.nvcc_flags.end(), flags.begin(), flags.end());
  return options;
}

bool is_standard(const std::string& text) {
  static constexpr std::array kKnown{"c++11", "c++14", "c++17", "c++20", "c++23"};
  return std::find(kKnown.begin(), kKnown.end(), text) != kKnown.end();
}

bool is_architecture(std::string_view text) {
  if (!text.starts_with("sm_")) return false;
  text.remove_prefix(3);
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) text.remove_suffix(1);
  return (text.size() == 2 || text.size() == 3) && text.find_first_not_of("0123456789") == text.npos;
}

// nvcc names what ended the programs that it starts, and gcc does.
bool tells_of_killed_step(const sandbox::SandboxResult& result) {
  if (result.ending != sandbox::Ending::kExited || result.succeeded()) return false;
  const std::string said = result.output + result.errors;
  return said.find("died due to signal 9") != said.npos ||
         said.find("Killed signal terminated program") != said.npos;
}

}  // namespace

struct NvccCompiler::Step {
  std::vector<std::string> arguments;
  Build::Outcome failure;
  std::vector<fs::path> readable;
};

NvccToolkit find_toolkit(const Nvcc& nvcc) {
  const sandbox::ProcessResult dry_run =
      sandbox::run_process({nvcc.path.string(), "--dryrun", "-E", "-x", "cu", "/dev/null"});
  NvccToolkit toolkit;
  toolkit.version = nvcc.version;
  const std::string here = dry_run_value(dry_run.output, "_HERE_");
  std::error_code failed;
  toolkit.nvcc = fs::canonical(fs::path(here) / "nvcc", failed);
  if (here.empty() || failed) {
    throw base::Error("{} does not say where its toolkit is: {}", nvcc.path.string(),
                      base::in_quotes(dry_run.output, 200))
        .with_remedy("name the toolkit's own nvcc in CUDACXX");
  }
  toolkit.root = toolkit.nvcc.parent_path().parent_path();
  toolkit.libraries = library_folder(toolkit.root);
  const sandbox::ProcessResult host = sandbox::run_process({"g++", "--version"});
  if (!host.succeeded()) {
    throw base::Error("nvcc needs g++, which is not on PATH").with_remedy("install g++");
  }
  toolkit.host_compiler = first_line(host.output);
  return toolkit;
}

CudaSource CudaSource::read(const fs::path& path) { return {path, base::read_file(path)}; }

void check_build_options(const BuildOptions& options) {
  if (!is_standard(options.standard)) {
    throw base::UsageError("unknown C++ standard {}", base::in_quotes(options.standard))
        .with_remedy("c++17 and c++20 are common");
  }
  if (options.optimization < 0 || options.optimization > 3) {
    throw base::UsageError("optimization {} is not between 0 and 3", options.optimization);
  }
  if (!is_architecture(options.architecture)) {
    throw base::UsageError("{} is not a GPU architecture", base::in_quotes(options.architecture))
        .with_remedy("such as sm_80 or sm_90");
  }
}

NvccCompiler::NvccCompiler(NvccToolkit toolkit, const NvccSettings& settings)
    : toolkit_(std::move(toolkit)), settings_(settings), own_objects_(std::make_shared<OwnObjects>()) {}

std::vector<std::string> NvccCompiler::common_arguments(const BuildOptions& options) const {
  check_build_options(options);
  std::vector<std::string> arguments{toolkit_.nvcc.string(), "-arch=" + options.architecture,
                                     "-std=" + options.standard, fmt::format("-O{}", options.optimization)};
  for (const std::string& define : options.defines) arguments.push_back("-D" + define);
  for (const fs::path& folder : options.include_folders) {
    arguments.push_back("-I" + path_in_sandbox(folder).string());
  }
  if (options.relocatable) arguments.emplace_back("-rdc=true");
  arguments.insert(arguments.end(), options.nvcc_flags.begin(), options.nvcc_flags.end());
  return arguments;
}

std::string NvccCompiler::digest(const CudaSource& source, const BuildOptions& options,
                                 std::string_view stage) const {
  CacheKey key;
  key.add("stage", stage).add("source", source.text).add("name", name_in_sandbox(source.path));
  for (const std::string& argument : common_arguments(options)) key.add("argument", argument);
  for (const std::string& library : options.libraries) key.add("library", library);
  key.add("nvcc", toolkit_.version).add("g++", toolkit_.host_compiler).add("command", kCommandVersion);
  key.add("runtime", settings_.shared_runtime ? "shared" : "static");
  key.add("host_runtime", settings_.host_runtime.string());
  add_to_key(key, options.companions);
  for (const auto& folders : {options.include_folders, options.source_folders, options.visible_folders}) {
    for (const fs::path& folder : folders)
      if (!folder.empty() && !key.add_folder("include", folder)) return "";
  }
  return key.digest();
}

// One command of nvcc in the sandbox.
Build NvccCompiler::run(const Step& step, const fs::path& folder) const {
  sandbox::SandboxedCommand command;
  command.arguments = step.arguments;
  command.folder = folder;
  command.readable = step.readable;
  command.readable.push_back(toolkit_.root);
  command.limits = settings_.limits;
  command.confinement = settings_.confinement;
  const sandbox::SandboxResult result = sandbox::run_repeatable(command, tells_of_killed_step);
  if (result.ending == sandbox::Ending::kNotStarted) {
    throw base::Error("cannot run {}: {}", toolkit_.nvcc.string(), result.reason);
  }
  Build build;
  build.outcome = result.succeeded() ? Build::Outcome::kDone : step.failure;
  build.messages = clean_messages(result.output + result.errors, folder);
  build.command = clean_messages(fmt::format("{}", fmt::join(step.arguments, " ")), folder);
  build.compiler = fmt::format("{}, {}", description(), toolkit_.host_compiler);
  build.seconds = result.wall_seconds;
  if (const std::string reason = killed_because(result, settings_.limits); !reason.empty()) {
    build.outcome = Build::Outcome::kTimeout;
    build.messages += fmt::format("the compiler was {}\n", reason);
  } else if (result.ending == sandbox::Ending::kInterrupted) {
    build.outcome = Build::Outcome::kInterrupted;
    build.messages += "the compiler was interrupted\n";
  } else if (result.ending == sandbox::Ending::kSignalled) {
    build.messages += fmt::format("the compiler crashed (signal {})\n", result.signal);
  }
  return build;
}

NvccCompiler::Step NvccCompiler::compile_step(const BuildOptions& options, const char* stage,
                                              const std::string& source, size_t index) const {
  Step step{common_arguments(options), Build::Outcome::kCompileError, {}};
  for (const std::string& folder : include_folders_of(options.companions, index))
    step.arguments.push_back("-I" + folder);
  for (const fs::path& include : options.include_folders) step.readable.push_back(path_in_sandbox(include));
  for (const fs::path& folder : options.visible_folders) step.readable.push_back(folder);
  if (index < options.source_folders.size() && !options.source_folders[index].empty()) {
    step.arguments.push_back("-I" + path_in_sandbox(options.source_folders[index]).string());
    step.readable.push_back(path_in_sandbox(options.source_folders[index]));
  }
  if (!is_host_source(options.companions, source)) step.arguments.insert(step.arguments.end(), {"-x", "cu"});
  step.arguments.insert(step.arguments.end(), {stage, source, "-o"});
  return step;
}

NvccCompiler::Step NvccCompiler::link_step(const BuildOptions& options) const {
  Step step{{toolkit_.nvcc.string(), "-arch=" + options.architecture}, Build::Outcome::kLinkError, {}};
  if (options.relocatable) step.arguments.emplace_back("-rdc=true");
  for (std::string& object : objects_in_order(options.companions))
    step.arguments.push_back(std::move(object));
  step.arguments.insert(step.arguments.end(), {"-o", kProgram, "-Xlinker", "-z,relro,-z,now"});
  step.arguments.emplace_back(settings_.shared_runtime ? "--cudart=shared" : "--cudart=static");
  if (options.companions.wrap_main) step.arguments.insert(step.arguments.end(), {"-Xlinker", "--wrap=main"});
  // Types and functions of a prompt are in both sides' sources; ours count.
  if (options.companions.isolation == Isolation::kKernels)
    step.arguments.insert(step.arguments.end(), {"-Xlinker", "-z,muldefs"});
  step.arguments.insert(step.arguments.end(), options.nvcc_flags.begin(), options.nvcc_flags.end());
  for (const std::string& library : options.libraries) step.arguments.push_back("-l" + library);
  return step;
}

// All sources, each into its object, up to the first that fails.
Build NvccCompiler::compile(const CudaSource& source, const BuildOptions& options, const char* stage,
                            const fs::path& folder) const {
  lay_companions(options.companions, folder);
  const std::string name = name_in_sandbox(source.path);
  std::ofstream(folder / name, std::ios::binary) << source.text << std::flush;
  std::vector<std::string> names{name};
  names.insert(names.end(), options.companions.sources.begin(), options.companions.sources.end());
  Build all;
  const size_t first = first_source(options.companions);
  for (size_t i = first; i < names.size(); ++i) {
    Step step = compile_step(options, stage, names[i], i);
    step.arguments.push_back(object_name(i));
    if (fs::exists(folder / kKept)) {
      const std::string kept = fmt::format("{}/{}", kKept, i);
      fs::create_directory(folder / kept);
      step.arguments.insert(step.arguments.end(), {"--keep", "--keep-dir", kept});
    }
    Build build = run(step, folder);
    build.messages = all.messages + build.messages;
    build.seconds += all.seconds;
    build.command = i == first ? build.command : all.command + " && " + build.command;
    all = std::move(build);
    if (!all.done()) break;
  }
  return all;
}

// Whose kernels these are (kernel_origins.h) is told by lines in the very PTX that the program is made of. What includes no
// library's header is compiled without: the preprocessed text shows that, and asking for lines costs time.
Build NvccCompiler::compile_answer(const CudaSource& source, const BuildOptions& options,
                                   const fs::path& folder) const {
  if (settings_.host_runtime.empty() || !has_proven_kernels(options.companions))
    return compile(source, options, "-c", folder);
  const fs::path place = fs::canonical(folder);
  const auto compile_with = [&](const BuildOptions& with) {
    fs::remove_all(folder / kKept);
    fs::create_directory(folder / kKept);
    return compile(source, with, "-c", folder);
  };
  double seconds = 0;
  if (!may_include_library(source.text)) {
    Build build = compile_with(options);
    seconds = build.seconds;
    if (!build.done()) return build;
    const std::vector<std::string> texts = kept_files(folder, ".cpp1.ii");
    const bool is_plain = std::none_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return may_hold_library_kernels(text, place);
    });
    if (is_plain) return build;
  }
  Build build = compile_with(with_flags(options, {"-lineinfo"}));
  build.seconds += seconds;
  if (!build.done()) return build;
  std::vector<KernelOrigin> origins;
  for (const std::string& ptx : kept_files(folder, ".ptx")) {
    const std::vector<KernelOrigin> more = parse_ptx_origins(ptx);
    origins.insert(origins.end(), more.begin(), more.end());
  }
  if (has_library_kernels(origins, place)) build.own_kernels = own_kernel_names(origins, place);
  return build;
}

// One source of ours, by the host compiler alone, or as it was compiled before: answers to one task share it.
Build NvccCompiler::compile_ours(const std::string& name, const std::string& text,
                                 const fs::path& folder) const {
  const fs::path object = folder / (name + ".o");
  {
    const std::lock_guard lock(own_objects_->mutex);
    if (const auto known = own_objects_->by_text.find(text); known != own_objects_->by_text.end()) {
      base::write_scratch_file(object, known->second);
      Build build;
      build.outcome = Build::Outcome::kDone;
      return build;
    }
  }
  base::write_scratch_file(folder / name, text);
  const Step step{{toolkit_.nvcc.string(), "-x", "c++", "-std=c++17", "-O2", "-Xcompiler",
                   "-fvisibility=hidden,-fno-exceptions,-fno-rtti", "-c", name, "-o", name + ".o"},
                  Build::Outcome::kCompileError,
                  {}};
  Build build = run(step, folder);
  if (!build.done()) return build;
  const std::lock_guard lock(own_objects_->mutex);
  if (own_objects_->by_text.size() >= kMostOwnObjects) own_objects_->by_text.clear();
  own_objects_->by_text[text] = base::read_file(object);
  return build;
}

void NvccCompiler::compile_plain(const BuildOptions& options, const fs::path& folder, Build& build) const {
  for (const auto& [name, text] : options.companions.plain_sources) {
    const Build plain = compile_ours(name, text, folder);
    build.seconds += plain.seconds;
    if (plain.done()) continue;
    build.outcome = plain.outcome;
    build.messages += plain.messages;
    return;
  }
}

void NvccCompiler::redirect_calls(const BuildOptions& options, const fs::path& folder, Build& build) const {
  const CompanionSources& companions = options.companions;
  for (size_t i = first_source(companions); i <= companions.sources.size() && !companions.redirected.empty();
       ++i) {
    if (is_answer(companions, i)) continue;
    const Build done = run({redirection(companions, object_name(i)), Build::Outcome::kLinkError, {}}, folder);
    if (done.done()) continue;
    build.outcome = done.outcome;
    build.messages += done.messages;
    return;
  }
}

void NvccCompiler::refuse_system_calls(const CompanionSources& companions, const fs::path& folder,
                                       Build& build) const {
  if (companions.isolation != Isolation::kTested && companions.isolation != Isolation::kProgram) return;
  for (size_t i = first_source(companions); i <= companions.sources.size(); ++i) {
    const Step search{search_for_system_calls(object_name(i)), Build::Outcome::kCompileError, {}};
    if (is_answer(companions, i) && run(search, folder).done()) return take_fault(system_call_fault(), build);
  }
}

void NvccCompiler::link(const BuildOptions& options, const fs::path& folder, Build& build) const {
  auto host = base::async_in_scope([&] { link_host(options, folder); });
  const Build linked = run(link_step(options), folder);
  host.get();
  build.outcome = linked.outcome;
  build.messages += linked.messages;
  build.command += " && " + linked.command;
  build.seconds += linked.seconds;
  build.folder = folder;
}

// Only of answers, whose kernels have to be proven. What is missing is kept for whoever wants to run it.
void NvccCompiler::link_host(const BuildOptions& options, const fs::path& folder) const {
  if (settings_.host_runtime.empty() || !has_proven_kernels(options.companions)) return;
  HostLink link{settings_.host_runtime, objects_in_order(options.companions), {}};
  if (options.companions.wrap_main) link.linker_options.emplace_back("--wrap=main");
  if (options.companions.isolation == Isolation::kKernels) link.linker_options.emplace_back("-z,muldefs");
  const auto link_now = [&] {
    return run({host_link_command(link), Build::Outcome::kLinkError, {settings_.host_runtime}}, folder);
  };
  Build linked = compile_ours(kHostAdapter, kHostAdapterText, folder);
  if (linked.done()) linked = link_now();
  // A call that the runtime does not serve counts when it is reached.
  const std::vector<std::string> missing = undefined_functions(linked.messages);
  const std::optional<std::string> stand_ins = missing.empty() ? std::nullopt : stand_ins_for(missing);
  if (!linked.done() && stand_ins && compile_ours(kStandInName, *stand_ins, folder).done()) {
    link.objects.push_back(std::string(kStandInName) + ".o");
    linked = link_now();
  }
  if (!linked.done())
    base::write_scratch_file(folder / kHostFault, linked.messages.substr(0, linked.messages.find('\n')));
}

Build NvccCompiler::build(const CudaSource& source, const BuildOptions& options,
                          const fs::path& folder) const {
  Build build = compile_answer(source, options, folder);
  if (build.done()) compile_plain(options, folder, build);
  if (build.done()) redirect_calls(options, folder, build);
  if (build.done() && options.companions.isolation != Isolation::kNone) {
    const ObjectRules rules = rules_of(options.companions, folder);
    take_fault(rules.check_objects(), build);
    if (build.done()) refuse_system_calls(options.companions, folder, build);
    if (build.done()) link(options, folder, build);
    if (build.done()) take_fault(rules.check_program(folder / kProgram), build);
  } else if (build.done()) {
    link(options, folder, build);
  }
  if (build.done()) build.program = folder / kProgram;
  keep_only(folder, {build.program, folder / kHostProgram, folder / kHostFault});
  return build;
}

Build NvccCompiler::check(const CudaSource& source, const BuildOptions& options,
                          const fs::path& folder) const {
  const Build build = compile(source, options, "-cubin", folder);
  keep_only(folder, {});
  return build;
}

}  // namespace cuset::execute
