#include "study/measure/executor_speed.h"

#include <algorithm>
#include <chrono>

#include "base/console.h"
#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/human_readable.h"
#include "base/nearest_name.h"
#include "base/seconds_since.h"
#include "base/stats/statistics.h"
#include "emulator/toolchain.h"
#include "execute/build/cpu_build.h"
#include "execute/build/nvcc_search.h"
#include "sandbox/process.h"
#include "study/measure/executor_speed_programs.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr int kStarts = 50;
constexpr const char* kNothing = "/bin/true";

const BenchProgram& program_named(const std::string& name) {
  const auto program = std::find_if(std::begin(kBenchPrograms), std::end(kBenchPrograms),
                                    [&](const BenchProgram& candidate) { return candidate.name == name; });
  if (program == std::end(kBenchPrograms)) {
    throw base::UsageError("--program: unknown program {}{}", base::in_quotes(name),
                           base::did_you_mean(name, bench_program_names()));
  }
  return *program;
}

// Median milliseconds of `start`, which runs a program that does nothing.
template <typename Start>
double median_start_ms(const Start& start) {
  std::vector<double> times;
  for (int i = 0; i < kStarts; ++i) {
    const auto before = std::chrono::steady_clock::now();
    start();
    times.push_back(base::seconds_since(before) * 1000);
  }
  return base::quantile(times, 0.5);
}

void measure_starts(sandbox::Confinement confinement, RunBenchResult& result) {
  const base::TemporaryFolder folder;
  sandbox::SandboxedCommand command;
  command.arguments = {kNothing};
  command.folder = folder.path();
  command.confinement = confinement;
  result.start_ms = median_start_ms([] { sandbox::run_process({kNothing}); });
  result.sandboxed_start_ms = median_start_ms([&] { sandbox::run_sandboxed(command); });
}

// One round of a program's kernels: every shape's fastest launch.
double round_of_kernels(const execute::Run& run) {
  double ms = 0;
  for (const execute::KernelLaunches& kernel : run.kernels) ms += kernel.shortest_ms;
  return ms;
}

// The fastest of several runs; `failure` says why there is none.
struct FastestRun {
  double kernel_ms = 0;
  double seconds = 0;
  std::string failure;
};

FastestRun fastest_run(execute::Executor& executor, const execute::Build& build, int repeats) {
  FastestRun fastest;
  for (int i = 0; i < repeats; ++i) {
    const base::TemporaryFolder folder;
    execute::RunOptions options;
    options.folder = folder.path();
    const execute::Run run = executor.run(build, options);
    if (run.outcome != execute::Run::Outcome::kDone || run.process.output != "PASS\n") {
      fastest.failure = run.explanation + ": " + base::in_quotes(run.process.output + run.process.errors);
      return fastest;
    }
    const double ms = round_of_kernels(run);
    fastest.kernel_ms = i == 0 ? ms : std::min(fastest.kernel_ms, ms);
    fastest.seconds = i == 0 ? run.process.wall_seconds : std::min(fastest.seconds, run.process.wall_seconds);
  }
  return fastest;
}

// What takes part in the measurement.
struct Contenders {
  std::unique_ptr<execute::Executor> cpu;  // one of the two may be null
  emulator::EmulatorToolchain toolchain;   // of the first
  std::unique_ptr<execute::Executor> gpu;
  std::optional<execute::Nvcc> nvcc;
};

std::optional<double> nvcc_seconds(const execute::Nvcc& nvcc, const fs::path& source,
                                   const fs::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  const sandbox::ProcessResult compiled =
      sandbox::run_process({nvcc.path.string(), "-std=c++17", "-O3", "-arch=sm_80", "-o",
                            (folder / "by_nvcc").string(), source.string()},
                           {.time_limit = std::chrono::minutes(5)});
  if (!compiled.succeeded()) return std::nullopt;
  return base::seconds_since(start);
}

void measure_cpu(const Contenders& contenders, const BenchProgram& program, const RunBenchOptions& options,
                 ProgramSpeed& speed) {
  const base::TemporaryFolder folder;
  const execute::CpuBuildRequest request{.source = {std::string(program.name) + ".cu", program.text},
                                         .options = {},
                                         .folder = folder.path(),
                                         .limits = {},
                                         .confinement = options.confinement};
  execute::CpuBuildTimes times;
  const execute::Build build = execute::build_for_cpu(contenders.toolchain, request, &times);
  if (!build.done()) {
    speed.failure = "not compiled: " + base::in_quotes(build.messages, 300);
    return;
  }
  const FastestRun run = fastest_run(*contenders.cpu, build, options.repeats);
  speed.failure = run.failure;
  speed.cpu = {times.device, times.host, times.link, build.seconds, run.kernel_ms, run.seconds};
}

ProgramSpeed measure_program(const Contenders& contenders, const BenchProgram& program,
                             const RunBenchOptions& options) {
  const base::TemporaryFolder folder;
  const fs::path source = folder / (std::string(program.name) + ".cu");
  base::write_file_atomic(source, program.text);
  ProgramSpeed speed;
  speed.name = program.name;
  if (contenders.cpu) measure_cpu(contenders, program, options, speed);
  if (contenders.nvcc) speed.nvcc_seconds = nvcc_seconds(*contenders.nvcc, source, folder.path());
  if (contenders.gpu) {
    const execute::Build build = contenders.gpu->build(source, {});
    const FastestRun run = fastest_run(*contenders.gpu, build, options.repeats);
    if (run.failure.empty()) speed.gpu_kernel_ms = run.kernel_ms;
  }
  return speed;
}

Contenders find_contenders(sandbox::Confinement confinement) {
  const execute::ExecutorSettings settings{.confinement = confinement, .cache = {}, .compile_limits = {}};
  Contenders contenders;
  contenders.nvcc = execute::find_nvcc();
  try {
    contenders.gpu = execute::make_gpu_executor(settings);
  } catch (const base::Error&) {
    contenders.gpu = nullptr;
  }
  try {
    contenders.cpu = execute::make_cpu_executor(settings);
    contenders.toolchain = *emulator::find_emulator_toolchain().toolchain;
  } catch (const base::Error&) {
    if (!contenders.gpu) throw;  // says what is missing
  }
  return contenders;
}

std::string seconds_or_dash(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.2f} s", *seconds) : "-";
}

std::string ms_or_dash(const std::optional<double>& ms) { return ms ? fmt::format("{:.3f} ms", *ms) : "-"; }

}  // namespace

std::vector<std::string> bench_program_names() {
  std::vector<std::string> names;
  for (const BenchProgram& program : kBenchPrograms) names.emplace_back(program.name);
  return names;
}

RunBenchResult measure_executors(const RunBenchOptions& options) {
  std::vector<const BenchProgram*> programs;
  for (const std::string& name : options.programs.empty() ? bench_program_names() : options.programs) {
    programs.push_back(&program_named(name));
  }
  const Contenders contenders = find_contenders(options.confinement);
  RunBenchResult result;
  if (contenders.cpu) result.cpu = contenders.cpu->description();
  if (contenders.gpu) result.gpu = contenders.gpu->description();
  if (contenders.nvcc) result.nvcc = contenders.nvcc->version;
  {
    const base::StatusLine status("measuring starts of the sandbox");
    measure_starts(options.confinement, result);
  }
  for (const BenchProgram* program : programs) {
    const base::StatusLine status(fmt::format("measuring {}", program->name));
    result.programs.push_back(measure_program(contenders, *program, options));
  }
  return result;
}

std::string render_executors(const RunBenchResult& result) {
  std::string out =
      fmt::format("CPU: {}\nGPU: {}\nnvcc: {}\n\n", result.cpu.empty() ? "none" : result.cpu,
                  result.gpu.empty() ? "none" : result.gpu, result.nvcc.empty() ? "none" : result.nvcc);
  out += fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12} {:>11} {:>12}\n", "program", "device",
                     "host", "link", "compile", "nvcc", "CPU kernels", "CPU whole", "GPU kernels");
  for (const ProgramSpeed& program : result.programs) {
    if (!program.failure.empty()) {
      out += fmt::format("{:<16} failed: {}\n", program.name, program.failure);
      continue;
    }
    const auto cpu = [&](double CpuSpeed::* field) {
      return program.cpu ? std::optional<double>((*program.cpu).*field) : std::nullopt;
    };
    out += fmt::format(
        "{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12} {:>11} {:>12}\n", program.name,
        seconds_or_dash(cpu(&CpuSpeed::device_seconds)), seconds_or_dash(cpu(&CpuSpeed::host_seconds)),
        seconds_or_dash(cpu(&CpuSpeed::link_seconds)), seconds_or_dash(cpu(&CpuSpeed::build_seconds)),
        seconds_or_dash(program.nvcc_seconds), ms_or_dash(cpu(&CpuSpeed::kernel_ms)),
        program.cpu ? base::human_duration(program.cpu->run_seconds) : "-",
        ms_or_dash(program.gpu_kernel_ms));
  }
  out += fmt::format("\nstart of a program: {:.2f} ms, in the sandbox {:.2f} ms (median of {})\n",
                     result.start_ms, result.sandboxed_start_ms, kStarts);
  return out;
}

base::Json to_json(const RunBenchResult& result) {
  const auto number_or_null = [](const std::optional<double>& value) {
    return value ? base::Json(*value) : base::Json(nullptr);
  };
  base::Json programs = base::Json::array();
  for (const ProgramSpeed& program : result.programs) {
    base::Json row = {{"name", program.name},
                      {"failure", program.failure},
                      {"nvcc_seconds", number_or_null(program.nvcc_seconds)},
                      {"gpu_kernel_ms", number_or_null(program.gpu_kernel_ms)}};
    if (program.cpu) {
      row.update({{"device_seconds", program.cpu->device_seconds},
                  {"host_seconds", program.cpu->host_seconds},
                  {"link_seconds", program.cpu->link_seconds},
                  {"build_seconds", program.cpu->build_seconds},
                  {"cpu_kernel_ms", program.cpu->kernel_ms},
                  {"cpu_run_seconds", program.cpu->run_seconds}});
    }
    programs.push_back(std::move(row));
  }
  return {{"cpu", result.cpu},
          {"gpu", result.gpu},
          {"nvcc", result.nvcc},
          {"start_ms", result.start_ms},
          {"sandboxed_start_ms", result.sandboxed_start_ms},
          {"programs", std::move(programs)}};
}

}  // namespace cuset::study
