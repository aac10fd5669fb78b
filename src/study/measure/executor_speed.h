// Speed of the executors: how long small CUDA programs take to compile and to run on the CPU and, where there
// is one, on the GPU, beside nvcc's own compile time; and what the sandbox adds to the start of a program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "execute/executor.h"

namespace cuset::study {

// The programs measured, as they are in bench/programs/. Each checks its result and prints PASS.
std::vector<std::string> bench_program_names();

struct RunBenchOptions {
  std::vector<std::string> programs;  // empty: all
  int repeats = 3;                    // runs of each program; the fastest launches count
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
};

struct CpuSpeed {
  double device_seconds = 0;  // compilation by clang, device and host code side by side
  double host_seconds = 0;
  double link_seconds = 0;
  double build_seconds = 0;  // all of it
  double kernel_ms = 0;      // one round of its kernels
  double run_seconds = 0;    // the whole program, sandbox included
};

struct ProgramSpeed {
  std::string name;
  std::string failure;  // why there are no times; empty where it printed PASS
  std::optional<CpuSpeed> cpu;
  std::optional<double> nvcc_seconds;  // the same source by nvcc, to a program
  std::optional<double> gpu_kernel_ms;
};

struct RunBenchResult {
  std::string cpu;                // description of the executor; empty: it cannot work here
  std::string gpu;                // empty: none here
  std::string nvcc;               // version; empty: none here
  double start_ms = 0;            // median of starting a program that does nothing
  double sandboxed_start_ms = 0;  // the same in the sandbox
  std::vector<ProgramSpeed> programs;
};

// Throws UsageError for an unknown program, Error where neither executor can work.
RunBenchResult measure_executors(const RunBenchOptions& options);

std::string render_executors(const RunBenchResult& result);
base::Json to_json(const RunBenchResult& result);

}  // namespace cuset::study
