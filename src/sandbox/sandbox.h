// Runs an untrusted program: its own user, mount, pid, network and ipc namespaces, a read-only system, a
// private /tmp, one writable folder, a system-call filter, no new privileges, and limits on everything it
// could exhaust. When run_sandboxed returns, no process of it is alive, whatever it did.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cuset::sandbox {

enum class Confinement {
  // Namespaces, system-call filter and limits; refused with an Error where the kernel forbids part of it.
  kFull,
  // System-call filter, limits and the death of the whole tree: chosen by the user with --sandbox=limits.
  // Root's programs run as another user, to whom `folder` is handed with all that lies in it.
  kLimits,
};

struct SandboxLimits {
  std::chrono::milliseconds wall_time{60'000};
  std::chrono::milliseconds cpu_time{0};  // of the whole tree; 0: wall time times the machine's cores
  uint64_t memory = 4ull << 30;           // bytes of the whole tree
  uint32_t processes = 64;                // processes and threads of the whole tree
  uint32_t open_files = 256;              // per process
  uint64_t file_size = 1ull << 30;        // bytes of one file
  uint64_t folder_size = 4ull << 30;      // bytes of all files in the folder; beyond it: ends by SIGXFSZ
  uint64_t files = 100'000;               // files and folders in the folder; beyond it: the same
  uint64_t output = 1 << 20;              // bytes kept of each of standard output and standard error
  uint64_t output_kill = 1ull << 30;      // bytes of output, kept or not, after which the program is killed
};

struct SandboxedCommand {
  std::vector<std::string> arguments;  // the program first, an absolute path
  std::filesystem::path folder;        // its working folder, the only writable place; exists
  // Files and folders shown to it read-only beside the system's own. Links are followed: name none that an
  // untrusted program could have made.
  std::vector<std::filesystem::path> readable;
  std::map<std::string, std::string> environment;  // all it gets, beside PATH, HOME and TMPDIR
  bool gpu = false;                                // pass the GPU's device nodes
  SandboxLimits limits;
  // How long it has waited for us so far: added to the limit on wall time. Asked while it runs.
  std::function<std::chrono::milliseconds()> waited;
  Confinement confinement = Confinement::kFull;
};

enum class Ending {
  kExited,     // by itself: exit_status
  kSignalled,  // by a signal: its own crash or abort, or a limit without an ending of its own
  kWallTime,
  kCpuTime,
  kMemory,
  kOutput,
  kNotStarted,  // the program could not be executed: reason
  kInterrupted  // our own process was asked to stop (base/interrupt.h) while it ran
};

struct SandboxResult {
  Ending ending = Ending::kNotStarted;
  int exit_status = -1;
  int signal = 0;
  std::string reason;         // of kNotStarted
  std::string output;         // standard output, up to the limit
  std::string errors;         // standard error, up to the limit
  uint64_t output_bytes = 0;  // of both, including what was dropped
  double wall_seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory = 0;  // bytes; 0 if unknown
  // SIGKILL ended it, and no limit of ours sent that: the kernel did where memory ran short, or an operator, or the program
  // itself. Nobody can see which.
  bool stray_kill = false;

  bool succeeded() const { return ending == Ending::kExited && exit_status == 0; }
};

// Throws Error only if the sandbox itself cannot be set up (with the remedy); what the program does is a
// result.
SandboxResult run_sandboxed(const SandboxedCommand& command);

// How often work is done again that met a stray kill: what comes to the same end every time is the program's own doing.
inline constexpr int kMostRepeats = 4;

// The same for a program that gives the same result when it is run again: it is after a stray kill, its own or, where
// `tells_of_kill` finds it in what it says, of a process that it started.
SandboxResult run_repeatable(const SandboxedCommand& command,
                             const std::function<bool(const SandboxResult&)>& tells_of_kill = {});

}  // namespace cuset::sandbox
