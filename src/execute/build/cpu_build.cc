#include "execute/build/cpu_build.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <set>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/files/scratch_file.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "emulator/host_work.h"
#include "emulator/kernel_files.h"
#include "execute/build/cccl.h"
#include "execute/build/companion_sources.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/emulator_messages.h"
#include "execute/build/kernel_origins.h"
#include "execute/build/nvcc_dialect.h"
#include "execute/objects/object_rules.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// One compiler or linker in the sandbox.
struct Step {
  const emulator::EmulatorToolchain& toolchain;
  const CpuBuildRequest& request;

  // What the quick linker does not link is linked once more, for messages that are the same everywhere.
  sandbox::SandboxResult link(const emulator::EmulatorLink& link) const {
    std::vector<fs::path> objects;
    for (const auto& [name, object] : request.plain_objects) objects.push_back(object);
    if (!toolchain.linker.empty()) {
      sandbox::SandboxResult result = run(emulator::quick_link_command(toolchain, link), objects);
      if (result.ending != sandbox::Ending::kExited || result.succeeded()) return result;
    }
    return run(emulator::link_command(toolchain, link), objects);
  }

  sandbox::SandboxResult compile_device(const emulator::EmulatorCommands& commands) const {
    return run(commands.device, {}, {{CUSET_KERNEL_FILES_VARIABLE, commands.kernel_files.string()}});
  }

  // Of source number `index`.
  sandbox::SandboxResult compile_host(const emulator::EmulatorCommands& commands, size_t index) const {
    const CompanionSources& companions = request.options.companions;
    if (!companions.counts_host_work) return run(commands.host);
    return run(commands.host, {},
               {{CUSET_HOST_WORK_VARIABLE, is_answer(companions, index) ? "answer" : "tests"}});
  }

  sandbox::SandboxResult run(const std::vector<std::string>& arguments,
                             const std::vector<fs::path>& more_readable = {},
                             std::map<std::string, std::string> environment = {}) const {
    sandbox::SandboxedCommand command;
    command.arguments = arguments;
    command.environment = std::move(environment);
    command.folder = request.folder;
    command.readable = emulator::readable_folders(toolchain);
    for (const fs::path& folder : request.options.include_folders)
      command.readable.push_back(path_in_sandbox(folder));
    for (const fs::path& folder : request.options.source_folders)
      if (!folder.empty()) command.readable.push_back(path_in_sandbox(folder));
    for (const fs::path& folder : request.options.visible_folders) command.readable.push_back(folder);
    if (!request.precompiled.empty()) command.readable.push_back(request.precompiled);
    command.readable.insert(command.readable.end(), more_readable.begin(), more_readable.end());
    command.limits = request.limits;
    command.confinement = request.confinement;
    sandbox::SandboxResult result = sandbox::run_repeatable(command);
    if (result.ending == sandbox::Ending::kNotStarted) {
      throw base::Error("cannot start {}: {}", arguments[0], result.reason)
          .with_remedy("`cuset doctor` says what is missing");
    }
    return result;
  }
};

// How a compiler that did not end by itself ended, as a message beside its own.
std::string explain(const sandbox::SandboxResult& step, const sandbox::SandboxLimits& limits) {
  switch (step.ending) {
    case sandbox::Ending::kWallTime:
    case sandbox::Ending::kCpuTime:
      return fmt::format("the compiler was killed after {}\n", base::human_duration(step.wall_seconds));
    case sandbox::Ending::kMemory:
      return fmt::format("the compiler needed more than {} of memory\n", base::human_bytes(limits.memory));
    case sandbox::Ending::kOutput:
      return "the compiler printed without end and was killed\n";
    case sandbox::Ending::kSignalled:
      return step.stray_kill ? "the compiler was killed from outside, every time\n"
                             : fmt::format("the compiler crashed (signal {})\n", step.signal);
    case sandbox::Ending::kInterrupted:
      return "the compiler was interrupted\n";
    default:
      return "";
  }
}

// Which another machine, or a quieter hour, may give.
bool lacked_time(const sandbox::SandboxResult& step) {
  return step.ending == sandbox::Ending::kWallTime || step.ending == sandbox::Ending::kCpuTime ||
         step.stray_kill;
}

// The first failure decides; `failed` is what kind it is where the compiler itself says no.
Build::Outcome outcome_of(const sandbox::SandboxResult& step, Build::Outcome failed) {
  if (step.succeeded()) return Build::Outcome::kDone;
  if (step.ending == sandbox::Ending::kInterrupted) return Build::Outcome::kInterrupted;
  if (lacked_time(step)) return Build::Outcome::kTimeout;
  return unsupported_constructs(step.errors).empty() ? failed : Build::Outcome::kUnsupported;
}

bool has_flag(const BuildOptions& options, std::string_view flag) {
  return std::find(options.nvcc_flags.begin(), options.nvcc_flags.end(), flag) != options.nvcc_flags.end();
}

// Our headers of CUDA's libraries hold kernels: C++ that includes one of them is compiled as CUDA.
bool includes_library(std::string_view text) {
  for (const char* header :
       {"cublas_v2.h", "cublasLt.h", "cufft.h", "cufftXt.h", "curand.h", "cusolverDn.h", "cusparse.h"})
    for (const char* form : {"#include <{}>", "#include \"{}\""})
      if (text.find(fmt::format(fmt::runtime(form), header)) != text.npos) return true;
  return false;
}

const std::string& text_of(const CpuBuildRequest& request, const std::string& source, size_t index) {
  return index == 0 ? request.source.text : request.options.companions.files.at(source);
}

// `source` is below the working folder, so that no machine's path ends up in the program.
emulator::EmulatorBuild emulator_build(const CpuBuildRequest& request, const std::string& source,
                                       size_t index = 0) {
  emulator::EmulatorBuild build;
  build.source = source;
  build.folder = request.folder;
  build.standard = request.options.standard;
  build.optimization = request.options.optimization;
  build.check = request.options.check;
  build.uses_clusters = request.options.uses_clusters;
  build.defines = request.options.defines;
  build.precompiled = request.precompiled;
  for (const fs::path& folder : request.options.include_folders)
    build.include_folders.push_back(path_in_sandbox(folder));
  for (const std::string& folder : include_folders_of(request.options.companions, index))
    build.include_folders.push_back(folder);
  const auto& own_folders = request.options.source_folders;
  if (index < own_folders.size() && !own_folders[index].empty())
    build.quote_folders.push_back(path_in_sandbox(own_folders[index]));
  build.plain = is_host_source(request.options.companions, source) &&
                !includes_library(text_of(request, source, index));
  build.contract = !has_flag(request.options, "--fmad=false");
  return build;
}

// One for the source, then those of its companions.
std::vector<emulator::EmulatorBuild> builds_of(const CpuBuildRequest& request) {
  std::vector<emulator::EmulatorBuild> builds{emulator_build(request, name_in_sandbox(request.source.path))};
  for (const std::string& source : request.options.companions.sources) {
    builds.push_back(emulator_build(request, source, builds.size()));
    builds.back().objects = fmt::format("{}.", builds.size() - 1);
  }
  return builds;
}

// Device code of all sources becomes the first one's.
void join_device_code(std::vector<emulator::EmulatorBuild>& builds) {
  for (size_t i = 1; i < builds.size(); ++i) {
    if (builds[i].plain) continue;
    builds[i].device_bitcode = true;
    builds[0].linked_bitcode.push_back(builds[i].folder / (builds[i].objects + "device.o"));
  }
}

// The commands of the source, then those of its companions.
std::vector<emulator::EmulatorCommands> commands_of(const emulator::EmulatorToolchain& toolchain,
                                                    const CpuBuildRequest& request) {
  std::vector<emulator::EmulatorBuild> builds = builds_of(request);
  if (request.options.relocatable) join_device_code(builds);
  std::vector<emulator::EmulatorCommands> commands;
  for (const emulator::EmulatorBuild& build : builds)
    commands.push_back(emulator::emulator_commands(toolchain, build));
  return commands;
}

// One that gives the same object and names nothing of this machine's cache.
std::vector<std::string> command_for_record(const emulator::EmulatorToolchain& toolchain,
                                            const CpuBuildRequest& request) {
  emulator::EmulatorBuild build = emulator_build(request, name_in_sandbox(request.source.path));
  build.precompiled.clear();
  const emulator::EmulatorCommands commands = emulator::emulator_commands(toolchain, build);
  return commands.device.empty() ? commands.host : commands.device;
}

std::string plain_object(const CpuBuildRequest& request, const std::string& source) {
  const auto made = request.plain_objects.find(source);
  return (made != request.plain_objects.end() ? made->second : request.folder / (source + ".o")).string();
}

// Our objects come first: of a function that several define as a weak one, the linker takes the first.
emulator::EmulatorLink link_of(const CpuBuildRequest& request,
                               const std::vector<emulator::EmulatorCommands>& commands) {
  const CompanionSources& companions = request.options.companions;
  std::vector<std::string> ours, answers;
  for (const auto& [name, text] : companions.plain_sources) ours.push_back(plain_object(request, name));
  for (size_t i = first_source(companions); i < commands.size(); ++i) {
    auto& side = is_answer(companions, i) ? answers : ours;
    side.insert(side.end(), commands[i].objects.begin(), commands[i].objects.end());
  }
  emulator::EmulatorLink link{std::move(ours), commands[0].program.string()};
  link.objects.insert(link.objects.end(), answers.begin(), answers.end());
  if (companions.wrap_main) link.options.emplace_back("--wrap=main");
  // Types and functions of a prompt are in both sides' sources; ours count.
  if (companions.isolation == Isolation::kKernels) link.options.emplace_back("--allow-multiple-definition");
  return link;
}

ObjectRules rules_of(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                     const std::vector<emulator::EmulatorCommands>& commands) {
  const CompanionSources& companions = request.options.companions;
  ObjectRules rules(companions.isolation);
  for (size_t i = first_source(companions); i < commands.size(); ++i) {
    const auto& objects = commands[i].objects;  // host, device
    if (is_answer(companions, i)) {
      rules.add_answer(objects[0]);
      rules.add_device_code(objects[1]);
    } else {
      rules.add_ours(objects[0]);
      rules.add_our_device_code(objects[1]);
    }
  }
  for (const auto& [name, text] : companions.plain_sources) rules.add_ours(plain_object(request, name));
  rules.add_library(emulator::runtime_library(toolchain));
  if (companions.counts_host_work) rules.refuse_help_of_tests();
  return rules;
}

struct BothSides {
  sandbox::SandboxResult host;
  sandbox::SandboxResult device;
};

BothSides run_side_by_side(const std::function<sandbox::SandboxResult()>& of_host,
                           const std::function<sandbox::SandboxResult()>& of_device) {
  auto device = base::async_in_scope(of_device);
  sandbox::SandboxResult host = of_host();
  return {std::move(host), device.get()};
}

// The device side of a source that has none.
sandbox::SandboxResult nothing_to_do() {
  sandbox::SandboxResult result;
  result.ending = sandbox::Ending::kExited;
  result.exit_status = 0;
  return result;
}

void compile(const Step& step, const std::vector<emulator::EmulatorCommands>& all, size_t index, Build& build,
             CpuBuildTimes& times) {
  const emulator::EmulatorCommands& commands = all[index];
  const auto of_host = [&] { return step.compile_host(commands, index); };
  const auto of_device = [&] { return step.compile_device(commands); };
  const auto [host, device] =
      commands.device.empty() ? BothSides{of_host(), nothing_to_do()} : run_side_by_side(of_host, of_device);
  times.device += device.wall_seconds;
  times.host += host.wall_seconds;
  const sandbox::SandboxLimits& limits = step.request.limits;
  build.messages +=
      merged_messages(host.errors + explain(host, limits), device.errors + explain(device, limits));
  build.outcome = outcome_of(host, Build::Outcome::kCompileError);
  const Build::Outcome device_outcome = outcome_of(device, Build::Outcome::kCompileError);
  if (build.done() || device_outcome == Build::Outcome::kUnsupported) build.outcome = device_outcome;
  if (const std::string header = missing_cuda_header(build.messages); !build.done() && !header.empty()) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages += fmt::format("unsupported: the CUDA toolkit's header {}\n", header);
  }
  if (const auto names = undeclared_library_names(build.messages); !build.done() && !names.empty()) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages += fmt::format("unsupported: {}\n", fmt::join(names, ", "));
  }
  if (!build.done() && names_dynamic_parallelism(build.messages)) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages += "unsupported: dynamic parallelism (a kernel that launches kernels)\n";
  }
}

// The numbers of the sources. The first one is last where the others' device code becomes part of its own.
std::vector<size_t> compile_order(const BuildOptions& options, size_t sources) {
  std::vector<size_t> order;
  for (size_t i = first_source(options.companions); i < sources; ++i) order.push_back(i);
  if (options.relocatable) std::reverse(order.begin(), order.end());
  return order;
}

sandbox::SandboxResult compile_plain(const Step& step, const std::string& name) {
  return step.run({step.toolchain.clang.string(), "-x", "c++", "-std=c++17", "-O2", "-fvisibility=hidden",
                   "-fno-exceptions", "-fno-rtti", "-c", name, "-o", plain_object(step.request, name)});
}

// Sources of ours: a failure is our own. Returns what became of them, without a program.
Build compile_plain(const Step& step) {
  Build build;
  build.outcome = Build::Outcome::kDone;
  for (const auto& [name, text] : step.request.options.companions.plain_sources) {
    if (step.request.plain_objects.contains(name)) continue;
    const sandbox::SandboxResult plain = compile_plain(step, name);
    if (plain.succeeded()) continue;
    build.outcome = outcome_of(plain, Build::Outcome::kCompileError);
    build.messages = plain.errors + explain(plain, step.request.limits);
    break;
  }
  return build;
}

// The program, and its device code alone where that is all in one object.
void link(const Step& step, const std::vector<emulator::EmulatorCommands>& commands, Build& build,
          CpuBuildTimes& times) {
  const auto link_program = [&] { return step.link(link_of(step.request, commands)); };
  const auto link_device = [&] {
    return step.link({commands[0].device_objects, commands[0].device_program.string()});
  };
  const auto [link, device] = commands.size() == 1 && !commands[0].device.empty()
                                  ? run_side_by_side(link_program, link_device)
                                  : BothSides{link_program(), {}};
  times.link = link.wall_seconds;
  build.outcome = outcome_of(link, Build::Outcome::kLinkError);
  build.messages += link.errors + explain(link, step.request.limits);
  if (build.outcome == Build::Outcome::kLinkError && !undefined_cuda_functions(link.errors).empty()) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages +=
        fmt::format("unsupported: {}\n", fmt::join(undefined_cuda_functions(link.errors), ", "));
  }
}

void redirect_calls(const Step& step, const std::vector<emulator::EmulatorCommands>& commands, Build& build) {
  const CompanionSources& companions = step.request.options.companions;
  if (companions.redirected.empty()) return;
  for (size_t i = first_source(companions); i < commands.size(); ++i) {
    if (is_answer(companions, i)) continue;
    const sandbox::SandboxResult done = step.run(redirection(companions, commands[i].objects[0]));
    if (done.succeeded()) continue;
    build.outcome = outcome_of(done, Build::Outcome::kLinkError);
    build.messages += done.errors + explain(done, step.request.limits);
    return;
  }
}

void refuse_system_calls(const Step& step, const std::vector<emulator::EmulatorCommands>& commands,
                         Build& build) {
  const CompanionSources& companions = step.request.options.companions;
  if (companions.isolation != Isolation::kTested) return;
  for (size_t i = first_source(companions); i < commands.size(); ++i) {
    if (is_answer(companions, i) && step.run(search_for_system_calls(commands[i].objects[0])).succeeded())
      return take_fault(system_call_fault(), build);
  }
}

void link_with_rules(const Step& step, const std::vector<emulator::EmulatorCommands>& commands, Build& build,
                     CpuBuildTimes& times) {
  if (step.request.options.companions.isolation == Isolation::kNone)
    return link(step, commands, build, times);
  const ObjectRules rules = rules_of(step.toolchain, step.request, commands);
  take_fault(rules.check_objects(), build);
  if (build.done()) refuse_system_calls(step, commands, build);
  if (build.done()) link(step, commands, build, times);
  if (build.done()) take_fault(rules.check_program(commands[0].program), build);
}

// nvcc refuses launches in device code without -rdc=true. Users get them anyway, answers are judged as nvcc would.
bool may_launch_in_device_code(const BuildOptions& options) {
  return options.relocatable || options.companions.isolation == Isolation::kNone;
}

// Of all files of the program that are here; not of the headers in its folders.
std::set<std::string> kernel_names(const CpuBuildRequest& request) {
  std::set<std::string> kernels;
  add_kernel_names(request.source.text, kernels);
  for (const auto& [name, text] : request.options.companions.files) add_kernel_names(text, kernels);
  return kernels;
}

void mark_kernel_values(CpuBuildRequest& request) {
  const std::set<std::string> kernels = kernel_names(request);
  CompanionSources& companions = request.options.companions;
  request.source.text = with_kernel_values(request.source.text, kernels);
  for (const std::string& source : companions.sources)
    if (!is_host_source(companions, source))
      companions.files[source] = with_kernel_values(companions.files[source], kernels);
}

void write_sources(const CpuBuildRequest& request) {
  const bool may_launch = may_launch_in_device_code(request.options);
  CompanionSources companions = request.options.companions;
  for (auto& [name, text] : companions.files) text = adapt_assembly(text);
  for (const std::string& source : companions.sources)
    companions.files[source] = in_words_of_clang(companions.files[source], may_launch);
  lay_companions(companions, request.folder);
  base::write_scratch_file(request.folder / name_in_sandbox(request.source.path),
                           in_words_of_clang(adapt_assembly(request.source.text), may_launch));
}

// Of answers, whose kernels have to be proven.
void find_own_kernels(const CpuBuildRequest& request, const std::vector<emulator::EmulatorCommands>& commands,
                      Build& build) {
  if (!has_proven_kernels(request.options.companions)) return;
  std::vector<KernelOrigin> origins;
  for (size_t i = first_source(request.options.companions); i < commands.size(); ++i) {
    std::vector<KernelOrigin> more = parse_kernel_files(base::read_file(commands[i].kernel_files));
    origins.insert(origins.end(), more.begin(), more.end());
  }
  const fs::path place = fs::canonical(request.folder);
  if (has_library_kernels(origins, place)) build.own_kernels = own_kernel_names(origins, place);
}

Build build_as_written(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                       CpuBuildTimes* times) {
  const auto start = std::chrono::steady_clock::now();
  write_sources(request);
  const std::vector<emulator::EmulatorCommands> commands = commands_of(toolchain, request);
  CpuBuildTimes own_times;
  Build build;
  build.compiler = "clang " + toolchain.version;
  build.command = fmt::format("{}", fmt::join(command_for_record(toolchain, request), " "));
  build.folder = request.folder;
  CpuBuildTimes& taken = times == nullptr ? own_times : *times;
  const Step step{toolchain, request};
  auto ours = base::async_in_scope([&] { return compile_plain(step); });
  for (const size_t i : compile_order(request.options, commands.size())) {
    compile(step, commands, i, build, taken);
    if (!build.done()) break;
  }
  const Build of_ours = ours.get();
  if (build.done() && !of_ours.done()) {
    build.outcome = of_ours.outcome;
    build.messages += of_ours.messages;
  }
  if (build.done()) find_own_kernels(request, commands, build);
  if (build.done()) redirect_calls(step, commands, build);
  if (build.done()) link_with_rules(step, commands, build, taken);
  if (build.done()) build.program = request.folder / commands[0].program.filename();
  build.messages = clean_messages(build.messages, request.folder);
  build.command = clean_messages(build.command, request.folder);
  keep_only(request.folder, {build.program, build.done() ? commands[0].device_program : fs::path()});
  build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return build;
}

}  // namespace

Build build_for_cpu(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                    CpuBuildTimes* times) {
  Build build = build_as_written(toolchain, request, times);
  if (build.outcome != Build::Outcome::kCompileError || !names_kernel_type(build.messages)) return build;
  CpuBuildRequest marked = request;
  mark_kernel_values(marked);
  Build again = build_as_written(toolchain, marked, times);
  again.seconds += build.seconds;
  const bool says_more = again.outcome != Build::Outcome::kCompileError;
  return says_more ? std::move(again) : std::move(build);
}

bool precompile_for_cpu(const emulator::EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                        const std::vector<std::string>& headers) {
  const emulator::EmulatorCommands commands =
      emulator::precompile_commands(toolchain, emulator_build(request, {}), headers);
  const Step step{toolchain, request};
  const auto [host, device] =
      run_side_by_side([&] { return step.run(commands.host); }, [&] { return step.run(commands.device); });
  fs::remove(request.folder / emulator::kStandIn);
  return host.succeeded() && device.succeeded();
}

std::optional<fs::path> compile_plain_for_cpu(const emulator::EmulatorToolchain& toolchain,
                                              const CpuBuildRequest& request, const std::string& name) {
  const fs::path source = request.folder / name;
  base::write_scratch_file(source, request.options.companions.plain_sources.at(name));
  const bool done = compile_plain({toolchain, request}, name).succeeded();
  fs::remove(source);
  return done ? std::optional<fs::path>(plain_object(request, name)) : std::nullopt;
}

}  // namespace cuset::execute
