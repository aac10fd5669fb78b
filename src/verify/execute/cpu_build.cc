#include "verify/execute/cpu_build.h"

#include <chrono>
#include <future>

#include "base/copy_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "base/human_readable.h"
#include "base/remove_folder.h"
#include "verify/execute/compiler_messages.h"
#include "verify/execute/emulator_messages.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// One compiler or linker in the sandbox.
struct Step {
  const EmulatorToolchain& toolchain;
  const CpuBuildRequest& request;

  SandboxResult run(const std::vector<std::string>& arguments) const {
    SandboxedCommand command;
    command.arguments = arguments;
    command.folder = request.folder;
    command.readable = readable_folders(toolchain);
    for (const fs::path& folder : request.options.include_folders)
      command.readable.push_back(fs::absolute(folder));
    command.limits = request.limits;
    command.confinement = request.confinement;
    SandboxResult result = run_sandboxed(command);
    if (result.ending == Ending::kNotStarted) {
      throw Error("cannot start {}: {}", arguments[0], result.reason)
          .with_remedy("`cuset doctor` says what is missing");
    }
    return result;
  }
};

// How a compiler that did not end by itself ended, as a message beside its own.
std::string explain(const SandboxResult& step, const SandboxLimits& limits) {
  switch (step.ending) {
    case Ending::kWallTime:
    case Ending::kCpuTime:
      return fmt::format("the compiler was killed after {}\n", human_duration(step.wall_seconds));
    case Ending::kMemory:
      return fmt::format("the compiler needed more than {} of memory\n", human_bytes(limits.memory));
    case Ending::kOutput:
      return "the compiler printed without end and was killed\n";
    case Ending::kSignalled:
      return fmt::format("the compiler crashed (signal {})\n", step.signal);
    case Ending::kInterrupted:
      return "the compiler was interrupted\n";
    default:
      return "";
  }
}

bool ran_out_of_time(const SandboxResult& step) {
  return step.ending == Ending::kWallTime || step.ending == Ending::kCpuTime ||
         step.ending == Ending::kInterrupted;
}

// The first failure decides; `failed` is what kind it is where the compiler itself says no.
Build::Outcome outcome_of(const SandboxResult& step, Build::Outcome failed) {
  if (step.succeeded()) return Build::Outcome::kDone;
  if (ran_out_of_time(step)) return Build::Outcome::kTimeout;
  return unsupported_constructs(step.errors).empty() ? failed : Build::Outcome::kUnsupported;
}

// Only the program stays: sources, objects and whatever else the compilers were talked into writing go.
void keep_only_program(const fs::path& folder, const fs::path& program) {
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != program.filename()) others.push_back(entry.path());
  }
  for (const fs::path& path : others) remove_folder(path);
}

EmulatorBuild emulator_build(const CpuBuildRequest& request) {
  EmulatorBuild build;
  build.source = name_in_sandbox(
      request.source.path);  // below the working folder, so that no machine's path ends up in the program
  build.folder = request.folder;
  build.standard = request.options.standard;
  build.optimisation = request.options.optimisation;
  build.check = request.options.check;
  build.defines = request.options.defines;
  for (const fs::path& folder : request.options.include_folders)
    build.include_folders.push_back(fs::absolute(folder));
  return build;
}

void compile_and_link(const Step& step, const EmulatorCommands& commands, Build& build,
                      CpuBuildTimes& times) {
  auto device_step = std::async(std::launch::async, [&] { return step.run(commands.device); });
  const SandboxResult host = step.run(commands.host);
  const SandboxResult device = device_step.get();
  times.device = device.wall_seconds;
  times.host = host.wall_seconds;
  const SandboxLimits& limits = step.request.limits;
  build.messages =
      merged_messages(host.errors + explain(host, limits), device.errors + explain(device, limits));
  build.outcome = outcome_of(host, Build::Outcome::kCompileError);
  const Build::Outcome of_device = outcome_of(device, Build::Outcome::kCompileError);
  if (build.done() || of_device == Build::Outcome::kUnsupported) build.outcome = of_device;
  if (const std::string header = missing_cuda_header(build.messages); !build.done() && !header.empty()) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages += fmt::format("unsupported: the CUDA toolkit's header {}\n", header);
  }
  if (!build.done()) return;

  const SandboxResult link = step.run(commands.link);
  times.link = link.wall_seconds;
  build.outcome = outcome_of(link, Build::Outcome::kLinkError);
  build.messages += link.errors + explain(link, limits);
  if (build.outcome == Build::Outcome::kLinkError && !undefined_cuda_functions(link.errors).empty()) {
    build.outcome = Build::Outcome::kUnsupported;
    build.messages +=
        fmt::format("unsupported: {}\n", fmt::join(undefined_cuda_functions(link.errors), ", "));
  }
}

}  // namespace

Build build_for_cpu(const EmulatorToolchain& toolchain, const CpuBuildRequest& request,
                    CpuBuildTimes* times) {
  const auto start = std::chrono::steady_clock::now();
  write_file_atomic(request.folder / name_in_sandbox(request.source.path), request.source.text);
  const EmulatorCommands commands = emulator_commands(toolchain, emulator_build(request));
  CpuBuildTimes own_times;
  Build build;
  build.compiler = "clang " + toolchain.version;
  build.command = fmt::format("{}", fmt::join(commands.device, " "));
  build.folder = request.folder;
  compile_and_link(Step{toolchain, request}, commands, build, times == nullptr ? own_times : *times);
  if (build.done()) build.program = request.folder / commands.program.filename();
  build.messages = clean_messages(build.messages, request.folder);
  build.command = clean_messages(build.command, request.folder);
  keep_only_program(request.folder, build.done() ? build.program : fs::path("/"));
  build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return build;
}

}  // namespace cuset
