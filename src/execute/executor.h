// Compiles and runs one untrusted CUDA program, on the GPU or on the CPU, inside the sandbox.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/machine/gpu.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

// What the objects of an answer are held to before they are linked with code of ours (object_rules.h).
enum class Isolation {
  kNone,      // the program is the user's own
  kProgram,   // a whole program: only its device code is held to anything
  kFunction,  // a host function that our harness calls
  kKernels,   // kernels that our code launches: no host code of the answer runs
  kTested,    // host functions that tests call, in the tests' own process: nothing that reaches the system
};

// What is compiled with a source: further sources, each by itself, and the files that any of them includes.
// Paths are below the folder that the source lies in, with '/' and without "..".
struct CompanionSources {
  std::map<std::string, std::string> files = {};  // path -> text
  std::vector<std::string> sources = {};          // of `files`: compiled and linked with the source
  std::vector<std::string> include_folders = {};  // "include"
  std::vector<std::string> host_sources =
      {};  // of `sources`, or the source itself: plain C++, without kernels
  // The program starts in the source's `extern "C" int __wrap_main(int, char**)`, which finds the `main` of
  // the others under the name __real_main.
  bool wrap_main = false;
  // Sources of ours in plain C++, without CUDA's headers: name -> text.
  std::map<std::string, std::string> plain_sources = {};
  Isolation isolation = Isolation::kNone;
  // Under `isolation`: those of `sources` that are the answer's; the source itself is where this is empty.
  std::vector<std::string> answers = {};
  // The folder that the answer's own sources lie in, with a copy of what they may include: their include
  // folders are below it, and no other source looks into it. Empty: all share one tree.
  std::string answer_root = {};
  // Calls that lead elsewhere in all compiled sources but the answer's: "exit" -> "cuset_test_exit".
  std::map<std::string, std::string> redirected = {};
  bool only_companions = false;  // the source itself is empty and is left out
  // Of Executor::checking_executor(): the program counts what host code of the answer does (emulator/host_work.h). A plain source maps the
  // counters; runs have their file in the working folder.
  bool counts_host_work = false;
};

// How a program is built; part of the cache's key and recorded with the result.
struct BuildOptions {
  std::string standard = "c++17";
  int optimization = 3;              // of host and device code
  std::string architecture;          // "sm_90"; empty: that of the GPU here, or a default where there is none
  bool uses_clusters = false;        // CPU executor: for compute capability 9.0; it finds out by itself
  bool check = false;                // CPU executor: with checks of memory accesses and barriers
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::filesystem::path> include_folders;
  // Of the source, then of its companions: where an #include in quotes looks first. Empty: only where they are copied to.
  std::vector<std::filesystem::path> source_folders;
  // Folders of headers that a source names by their place ("../grid/grid.h"): shown to the compiler, not searched.
  std::vector<std::filesystem::path> visible_folders;
  bool relocatable = false;             // device code of all sources is one, as with nvcc's -rdc=true
  std::vector<std::string> libraries;   // "cublas": passed as -lcublas
  std::vector<std::string> nvcc_flags;  // "--extended-lambda"; of these the CPU executor obeys --fmad=false
  CompanionSources companions;
  bool judge_with_nvcc = false;  // CPU executor: ask nvcc first, where there is one, not only if clang fails
};

struct Build {
  // kRejected, kHack: the objects are not what Isolation allows.
  enum class Outcome {
    kDone,
    kCompileError,
    kLinkError,
    kTimeout,
    kUnsupported,
    kInterrupted,
    kRejected,
    kHack
  };
  Outcome outcome = Outcome::kCompileError;
  std::filesystem::path source;  // as the user named it
  std::string messages;          // the compiler's, with the source named as the user named it
  std::string compiler;          // name and version
  std::string command;           // the command line, for the record
  double seconds = 0;
  bool cached = false;           // taken from the cache of objects
  std::filesystem::path folder;  // holds the program; kept by the cache or the caller's working folder
  std::filesystem::path program;
  // Where kernels of a library were compiled in: the others, which the source's own files define, by the names that runs
  // record, sorted (kernel_origins.h). Nothing: all kernels are the source's own, or it is no answer's.
  std::optional<std::vector<std::string>> own_kernels;

  bool done() const { return outcome == Outcome::kDone; }
};

inline constexpr uint64_t kBackward = 1;  // RunOptions::order: the reverse of the natural one

struct RunOptions {
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // the program's working folder, the only place it can write; exists
  sandbox::SandboxLimits limits;
  bool exclusive = true;  // GPU executor: no other program on the device meanwhile
  // With `exclusive`: the device is shared until the program waits at its gate (gpu_gate.h).
  bool waits_at_gate = false;
  int schedules = 1;  // CPU executor: orders of threads to try, one run each
  uint64_t seed = 0;  // of the orders after the first
  // CPU executor: the order of threads where only one is tried; 0 is the natural one, kBackward its reverse.
  uint64_t order = 0;
  bool next_order_with_each_trial = false;  // of a program that judge/run/program_run.h calls several times
};

struct KernelLaunches {
  std::string name;
  uint32_t grid[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
  uint64_t shared_bytes = 0;  // static and dynamic together
  uint64_t launches = 0;
  uint64_t failed = 0;
  double total_ms = 0;
  double shortest_ms = 0;
  // Of a GPU's kernels where CUPTI counts them; 0: not known.
  uint64_t static_shared_bytes = 0;
  uint32_t registers = 0;    // of a thread
  uint32_t local_bytes = 0;  // of a thread
  // Of one launch, where a process of ours ran the kernel: memory that its arguments reach (kernel_footprints.h). It is no
  // measure of what passed through memory.
  uint64_t footprint_bytes = 0;

  // Not less than none, whatever a record says.
  uint64_t dynamic_shared_bytes() const {
    return shared_bytes - (static_shared_bytes < shared_bytes ? static_shared_bytes : shared_bytes);
  }
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

// An input of a program whose host code and kernels run in two processes (docs/proof-of-work.md): the host
// reads `shown`; where it hands that on, the kernels get `real`, which has as many bytes.
struct InputMask {
  const std::vector<std::byte>& shown;
  const std::vector<std::byte>& real;
  std::string type;  // of its numbers: "float32"
};

struct SplitRun {
  Run host;
  Run device;  // kDone only if it wrote down everything that the host was given
  std::vector<std::vector<std::byte>> downloads;  // what the host was given of the device's memory, in order
  std::string requests;                           // what the host asked of the device, if that was recorded
  double kernel_ms = 0;                           // of all kernels, as the device's process measured it
};

struct SplitOptions {
  std::vector<InputMask> masks;
  bool unbroken = false;  // inputs are recognized only as they are, not rearranged or converted
  // Keeps what the host asks for, and every download, even one that repeats another.
  bool record = false;
  // GPU executor: kernels are timed exclusively; `device` has a record of them where CUPTI works.
  bool timed = false;
  // Without a host: the device gets these requests. SplitRun::host is empty then.
  std::string replayed_requests;
  std::vector<std::string> idle_kernels;  // as runs record them; their launches do nothing
  // GPU executor: runs in a process that has served no untrusted program, and serves none later.
  bool trusted = false;
  bool zeroed = false;  // GPU executor: fresh memory is zero, as in a new context, instead of poisoned
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
  // As run(), but the kernels run in another process. Nothing where this executor cannot.
  virtual std::optional<SplitRun> run_split(const Build& /*build*/, const RunOptions& /*options*/,
                                            const SplitOptions& /*split*/) {
    return std::nullopt;
  }
  // Who builds programs with checks (BuildOptions::check) and with counters of host work
  // (CompanionSources::counts_host_work): this executor, or one beside it that lives as long. Null where the machine has none.
  virtual Executor* checking_executor() { return nullptr; }
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
