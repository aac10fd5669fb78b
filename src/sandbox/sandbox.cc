#include "sandbox/sandbox.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/error.h"
#include "sandbox/confined_program.h"
#include "sandbox/limited_program.h"
#include "sandbox/pipe.h"
#include "sandbox/process_wait.h"
#include "sandbox/resource_group.h"
#include "sandbox/watch.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

void check(const SandboxedCommand& command) {
  CUSET_CHECK(!command.arguments.empty() && fs::path(command.arguments[0]).is_absolute(),
              "a sandboxed program is named by an absolute path");
  CUSET_CHECK(command.folder.is_absolute(), "folder {} is no absolute path", command.folder.string());
  std::error_code ignored;
  if (!fs::is_directory(command.folder, ignored)) {
    throw base::Error("the folder of a sandboxed program does not exist: {}", command.folder.string());
  }
}

// Why the program cannot run; empty if it can.
std::string obstacle(const SandboxedCommand& command) {
  const std::string& program = command.arguments[0];
  std::error_code ignored;
  if (fs::is_directory(program, ignored)) return program + " is a folder";
  if (::access(program.c_str(), X_OK) == 0) return "";
  return fmt::format("cannot execute {}: {}", program, base::errno_text(errno));
}

SandboxResult not_started(std::string reason) {
  SandboxResult result;
  result.reason = std::move(reason);
  return result;
}

std::vector<ResourceLimit> resource_limits(const SandboxLimits& limits) {
  // The watch ends the program at the exact time; this limit holds if the watch itself is starved.
  const auto cpu_seconds = static_cast<rlim_t>(effective_cpu_time(limits).count() / 1000 + 2);
  return {{RLIMIT_CORE, 0},
          {RLIMIT_NOFILE, limits.open_files},
          {RLIMIT_FSIZE, limits.file_size},
          {RLIMIT_CPU, cpu_seconds}};
}

GroupLimits group_limits(const SandboxedCommand& command) {
  const uint32_t of_bubblewrap = command.confinement == Confinement::kFull ? 2 : 0;
  return {.memory = command.limits.memory, .processes = command.limits.processes + of_bubblewrap};
}

// How a program ended that the watch did not end.
Ending own_ending(const SandboxLimits& limits, const SandboxResult& result) {
  if (result.signal == 0) return Ending::kExited;
  const double cpu_limit = std::chrono::duration<double>(effective_cpu_time(limits)).count();
  if (result.signal == SIGXCPU || (result.signal == SIGKILL && result.cpu_seconds >= cpu_limit)) {
    return Ending::kCpuTime;
  }
  return Ending::kSignalled;
}

// Watches the program, ends it with all it started, and says how it went.
SandboxResult see_to_the_end(const SandboxedCommand& command, const ResourceGroup& group,
                             RunningProgram& program, OutputStream output, OutputStream errors) {
  Watch watch(command, group, program);
  const std::optional<Ending> forced = watch.wait(output, errors);
  const ProgramEnd end = program.end();
  output.take();
  errors.take();
  SandboxResult result;
  result.wall_seconds = watch.seconds();
  result.output_bytes = output.bytes() + errors.bytes();
  result.output = output.release();
  result.errors = errors.release();
  result.cpu_seconds = std::max(end.cpu_seconds, watch.cpu_seconds());
  result.peak_memory =
      group.limits_memory() ? group.peak_memory() : std::max(end.peak_memory, watch.peak_memory());
  if (!forced) {
    result.exit_status = end.exit_status;
    result.signal = end.signal;
  }
  result.ending = forced                     ? *forced
                  : group.memory_kills() > 0 ? Ending::kMemory
                                             : own_ending(command.limits, result);
  result.stray_kill = result.ending == Ending::kSignalled && result.signal == SIGKILL;
  if (forced == Ending::kSignalled) result.signal = watch.signal();
  return result;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// bubblewrap's own failures come on the program's standard error.
void tell_bubblewrap_apart(const ConfinedProgram& program, SandboxResult& result) {
  if (result.ending != Ending::kExited || result.exit_status != 1) return;
  if (!program.was_set_up()) {
    throw base::Error("the kernel forbids part of full confinement: {}",
                      base::in_quotes(first_line(result.errors), 300))
        .with_remedy("`cuset doctor` shows what is missing; --sandbox=limits runs without namespaces");
  }
  if (result.errors.starts_with("bwrap: execvp ")) {
    result.ending = Ending::kNotStarted;
    result.reason = first_line(result.errors);
    result.exit_status = -1;
  }
}

}  // namespace

SandboxResult run_sandboxed(const SandboxedCommand& command) {
  check(command);
  if (std::string reason = obstacle(command); !reason.empty()) return not_started(std::move(reason));
  const OrphanAdoption adoption;
  const ResourceGroup group(group_limits(command));
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  ChildStart start;
  start.output = output.write_end.get();
  start.errors = errors.write_end.get();
  start.entrances = group.entrances();
  start.limits = resource_limits(command.limits);
  const auto see = [&](RunningProgram& program) {
    output.write_end.reset();
    errors.write_end.reset();
    return see_to_the_end(command, group, program, {std::move(output.read_end), command.limits.output},
                          {std::move(errors.read_end), command.limits.output});
  };
  if (command.confinement == Confinement::kLimits) {
    LimitedProgram program(command, std::move(start));
    if (program.failure().empty()) return see(program);
    return not_started(program.failure());
  }
  ConfinedProgram program(command, std::move(start));
  SandboxResult result = see(program);
  tell_bubblewrap_apart(program, result);
  return result;
}

SandboxResult run_repeatable(const SandboxedCommand& command,
                             const std::function<bool(const SandboxResult&)>& tells_of_kill) {
  SandboxResult result = run_sandboxed(command);
  for (int i = 0; i < kMostRepeats && (result.stray_kill || (tells_of_kill && tells_of_kill(result))); ++i)
    result = run_sandboxed(command);
  return result;
}

}  // namespace cuset::sandbox
