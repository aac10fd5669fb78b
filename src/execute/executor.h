// Compiles and runs one untrusted CUDA program, on the GPU or on the CPU, inside the sandbox.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/machine/gpu.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

// What is compiled with a source: further sources, each by itself, and the files that any of them includes.
// Paths are below the folder that the source lies in, with '/' and without "..".
struct CompanionSources {
  std::map<std::string, std::string> files = {};  // path -> text
  std::vector<std::string> sources = {};          // of `files`: compiled and linked with the source
  std::vector<std::string> include_folders = {};  // "include"
  // The program starts in the source's `extern "C" int __wrap_main(int, char**)`, which finds the `main` of
  // the others under the name __real_main.
  bool wrap_main = false;
};

// How a program is built; part of the cache's key and recorded with the result.
struct BuildOptions {
  std::string standard = "c++17";
  int optimization = 3;              // of host and device code
  std::string architecture;          // "sm_90"; empty: that of the GPU here, or a default where there is none
  bool check = false;                // CPU executor: with checks of memory accesses and barriers
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> libraries;   // "cublas": passed as -lcublas
  std::vector<std::string> nvcc_flags;  // "--extended-lambda"; the CPU executor does without
  CompanionSources companions;
  bool judge_with_nvcc = false;  // CPU executor: ask nvcc first, where there is one, not only if clang fails
};

struct Build {
  enum class Outcome { kDone, kCompileError, kLinkError, kTimeout, kUnsupported, kInterrupted };
  Outcome outcome = Outcome::kCompileError;
  std::filesystem::path source;  // as the user named it
  std::string messages;          // the compiler's, with the source named as the user named it
  std::string compiler;          // name and version
  std::string command;           // the command line, for the record
  double seconds = 0;
  bool cached = false;           // taken from the cache of objects
  std::filesystem::path folder;  // holds the program; kept by the cache or the caller's working folder
  std::filesystem::path program;

  bool done() const { return outcome == Outcome::kDone; }
};

struct RunOptions {
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // the program's working folder, the only place it can write; exists
  sandbox::SandboxLimits limits;
  bool exclusive = true;  // GPU executor: no other program on the device meanwhile
  // With `exclusive`: the device is shared until the program waits at its gate (gpu_gate.h).
  bool waits_at_gate = false;
  int schedules = 1;  // CPU executor: orders of threads to try, one run each
  uint64_t seed = 0;  // of the orders after the first
  // CPU executor: the order of threads where only one is tried; 0 is the natural one, 1 its reverse.
  uint64_t order = 0;
  bool next_order_with_each_trial = false;  // of a program that judge/program_run.h calls several times
};

struct KernelLaunches {
  std::string name;
  uint32_t grid[3];
  uint32_t block[3];
  uint64_t shared_bytes = 0;
  uint64_t launches = 0;
  uint64_t failed = 0;
  double total_ms = 0;
  double shortest_ms = 0;
};

struct RunFinding {
  std::string kind;  // one word, see emulator/execution_record.h
  std::string kernel;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t block[3];
  uint32_t thread[3];
  std::string text;
  uint64_t count = 1;
};

struct Run {
  // kDone: it ended by itself with status 0. kFailed: another status. kLaunchError: a kernel could not be
  // launched or failed on the device and the program ended without saying so by itself, or with a non-zero
  // status because of it.
  enum class Outcome {
    kDone,
    kFailed,
    kLaunchError,
    kCrash,
    kTimeout,
    kOutOfMemory,
    kTooMuchOutput,
    kUnsupported,
    kDeviceLost,
    kInterrupted
  };
  Outcome outcome = Outcome::kFailed;
  std::string explanation;  // one line: "killed after 10 s", "an illegal memory access was encountered (700)
                            // in saxpy"
  sandbox::SandboxResult process;
  int cuda_error = 0;  // the first CUDA error seen by the runtime, 0 if none
  std::string proof;   // what counted the kernels: "cupti", "interposed runtime", "emulator"; "none"
  std::vector<KernelLaunches> kernels;
  std::vector<RunFinding> findings;
  bool was_shared = false;  // another program was on the device at the same time
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::string name() const = 0;         // "cpu", "gpu"
  virtual std::string description() const = 0;  // "NVIDIA H200 (sm_90), nvcc 13.0"

  // Safe to call from many threads at once. `source` is the .cu file; it is copied, never written.
  virtual Build build(const std::filesystem::path& source, const BuildOptions& options) = 0;
  // Whether it compiles, told as cheaply as possible; the build has no program.
  virtual Build check(const std::filesystem::path& source, const BuildOptions& options) {
    return build(source, options);
  }
  // Runs on one GPU wait in a queue: a few share the device, or one has it exclusively.
  virtual Run run(const Build& build, const RunOptions& options) = 0;
  // The GPU it runs programs on; of a CPU nothing is known.
  virtual base::GpuInfo gpu() const { return {}; }
};

struct ExecutorSettings {
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
  std::filesystem::path cache;  // of objects, by content; empty: $XDG_CACHE_HOME/cuset/objects
  sandbox::SandboxLimits compile_limits;
  int gpu = 0;
  uint32_t gpu_programs = 6;  // that share the GPU, unless a run is exclusive
};

// Throw Error with the remedy where the machine lacks what they need.
std::unique_ptr<Executor> make_gpu_executor(const ExecutorSettings& settings);
std::unique_ptr<Executor> make_cpu_executor(const ExecutorSettings& settings);

}  // namespace cuset::execute
