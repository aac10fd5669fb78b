#include "judge/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/files/scratch_file.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/emulator_messages.h"
#include "execute/build/leading_headers.h"
#include "judge/data_files.h"
#include "judge/harness.h"
#include "judge/noop_kernels.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceName = "answer.cu";
constexpr int kStartFailed = 71;
constexpr uint64_t kRoomBesideData = 1ull << 30;
constexpr uint64_t kLargestReferenceOutput = 4ull << 30;
constexpr uint64_t kBytesTogether = 2ull << 30;

// Calls the program's main in every folder that is named after a "+", a "-" (with no-op kernels) or a "="
// (the process first makes its context and waits at the gate of gpu_gate.h); the program itself sees only
// "+". It includes nothing that the answer does not open with, so that the answer's own names stay free; it
// stands before the answer, so that no macro reaches it.
constexpr const char* kStart =
    "extern \"C\" int __real_main(int, char**);\n"
    "extern \"C\" int cuset_change_folder(const char*) __asm__(\"chdir\");\n"
    "extern \"C\" int cuset_create(const char*, unsigned) __asm__(\"creat\");\n"
    "extern \"C\" int cuset_close(int) __asm__(\"close\");\n"
    "extern \"C\" int cuset_access(const char*, int) __asm__(\"access\");\n"
    "extern \"C\" int cuset_sleep(unsigned) __asm__(\"usleep\");\n"
    "static void cuset_wait_at_gate() {\n"
    "  cudaFree(nullptr);\n"
    "  cuset_close(cuset_create(\"ready\", 0600));\n"
    "  while (cuset_access(\"go\", 0) != 0) cuset_sleep(500);\n"
    "}\n"
    "static int cuset_turn_on_noop(bool);\n"
    "extern \"C\" __attribute__((weak)) void cuset_begin_trial(unsigned long);\n"
    "extern \"C\" int __wrap_main(int count, char** words) {\n"
    "  char* own[2] = {words[0], nullptr};\n"
    "  int status = 0, noop = 0, gate = 0;\n"
    "  for (int i = 1; i < count; ++i) {\n"
    "    if (words[i][0] == '-') noop = i;\n"
    "    if (words[i][0] == '=') gate = i;\n"
    "    words[i][0] = '+';\n"
    "  }\n"
    "  if (gate != 0) cuset_wait_at_gate();\n"
    "  for (int i = 1; i < count && status == 0; ++i) {\n"
    "    if (i == noop && cuset_turn_on_noop(i > 1) != 0) return 71;\n"
    "    if (cuset_change_folder(words[i] + 1) != 0) return 71;\n"
    "    if (cuset_begin_trial) cuset_begin_trial(i - 1);\n"
    "    status = __real_main(1, own);\n"
    "    if (i + 1 < count && cuset_change_folder(\"..\") != 0) return 71;\n"
    "  }\n"
    "  return status;\n"
    "}\n";

constexpr const char* kWithoutSwitch = "static int cuset_turn_on_noop(bool) { return 1; }\n";

// A program that waits for its kernels' work would hang: after other runs an alarm ends it in a few seconds.
constexpr const char* kWithSwitch =
    "static __device__ int cuset_noop;\n"
    "extern \"C\" unsigned cuset_alarm(unsigned) __asm__(\"alarm\");\n"
    "extern \"C\" long cuset_clock() __asm__(\"clock\");\n"
    "static int cuset_turn_on_noop(bool after_others) {\n"
    "  const int on = 1;\n"
    "  if (after_others) cuset_alarm(5 + 2 * (unsigned)(cuset_clock() / 1000000));\n"
    "  return cudaMemcpyToSymbol(cuset_noop, &on, sizeof on) == cudaSuccess ? 0 : 1;\n"
    "}\n";

constexpr const char* kAnswer = "#line 1 \"answer.cu\"\n";

Outcome outcome_of(execute::Run::Outcome outcome) {
  switch (outcome) {
    case execute::Run::Outcome::kDone:
      return Outcome::kCorrect;
    case execute::Run::Outcome::kLaunchError:
    case execute::Run::Outcome::kDeviceLost:
      return Outcome::kLaunchError;
    case execute::Run::Outcome::kTimeout:
      return Outcome::kTimeout;
    case execute::Run::Outcome::kOutOfMemory:
      return Outcome::kOutOfMemory;
    case execute::Run::Outcome::kUnsupported:
      return Outcome::kUnsupported;
    default:
      return Outcome::kCrash;
  }
}

// Host, device and files may each hold the data once more than the program needs.
sandbox::SandboxLimits limits_for(const JudgeSettings& settings, double seconds, uint64_t data) {
  sandbox::SandboxLimits limits = settings.run_limits;
  limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  limits.memory = std::max(limits.memory, 4 * data + kRoomBesideData);
  limits.folder_size = std::max(limits.folder_size, 2 * data + kRoomBesideData);
  limits.file_size = std::max(limits.file_size, data + kRoomBesideData);
  return limits;
}

uint64_t bytes_of(const std::vector<tasks::Array>& arrays) {
  uint64_t bytes = 0;
  for (const tasks::Array& array : arrays) bytes += array.bytes.size();
  return bytes;
}

uint64_t bytes_of(const std::vector<tasks::TaskOutput>& outputs) {
  uint64_t bytes = 0;
  for (const tasks::TaskOutput& output : outputs)
    bytes += tasks::count_of(output.shape) * cuset::tasks::bytes_of(output.type);
  return bytes;
}

// What is wrong with an output's file; empty: nothing. Without `wanted` any whole number of elements is right.
std::string fault_of(const OutputFile& file, std::optional<uint64_t> wanted, uint64_t width) {
  if (file.state == OutputFile::State::kAbsent) return "was not written";
  if (file.state == OutputFile::State::kNotAFile) return "is not an ordinary file";
  if (wanted && file.size != *wanted) return fmt::format("has {} bytes, wanted {}", file.size, *wanted);
  if (file.state == OutputFile::State::kTooLarge || file.size == 0 || file.size % width != 0)
    return fmt::format("has {} bytes, no whole number of elements", file.size);
  return "";
}

// What the source opens with is put before our start, too, where an executor looks for it to have it
// precompiled.
std::string headers_first(const std::string& source) {
  std::string lines;
  for (const std::string& header : execute::leading_headers(source)) lines += "#include <" + header + ">\n";
  return lines;
}

}  // namespace

ProgramRunner::ProgramRunner(execute::Executor& executor, const JudgeSettings& settings,
                             const tasks::Task& task, const std::string& source,
                             const ProgramBuildOptions& build_options)
    : executor_(executor), settings_(settings), task_(task), checked_(build_options.check) {
  const fs::path file = folder_ / kSourceName;
  const char* noop_switch = build_options.noop_switch ? kWithSwitch : kWithoutSwitch;
  base::write_scratch_file(
      file, headers_first(source) + fmt::format("{}{}{}{}", kStart, noop_switch, kAnswer, source));
  execute::BuildOptions options;
  options.companions.wrap_main = true;
  options.check = build_options.check;
  options.judge_with_nvcc = settings.judge_with_nvcc;
  build_ = executor.build(file, options);
  if (build_.outcome == execute::Build::Outcome::kInterrupted) throw JudgeInterrupted();
  build_.messages = execute::without_folder(std::move(build_.messages), folder_.path());
  build_.command = execute::without_folder(std::move(build_.command), folder_.path());
}

ProgramRun ProgramRunner::run(std::span<const std::vector<tasks::Array>* const> inputs,
                              const ProgramRunOptions& options) const {
  ProgramRun result = run_once(inputs, options);
  if (result.outcome == Outcome::kCorrect || !result.run.was_shared) return result;
  // Another program may have used up the memory or the time.
  ProgramRunOptions exclusive = options;
  exclusive.exclusive = true;
  exclusive.waits_at_gate = false;
  return run_once(inputs, exclusive);
}

ProgramRun ProgramRunner::run(const std::vector<tasks::Array>& inputs,
                              const ProgramRunOptions& options) const {
  const std::vector<tasks::Array>* one = &inputs;
  return run(std::span(&one, 1), options);
}

ProgramRun ProgramRunner::run_once(std::span<const std::vector<tasks::Array>* const> inputs,
                                   const ProgramRunOptions& options) const {
  const base::TemporaryFolder folder;
  execute::RunOptions run_options;
  std::vector<HarnessFiles> harness;
  std::vector<fs::path> folders;
  uint64_t data = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = fmt::format("trial{}", i);
    write_inputs(folder / name, task_.inputs, *inputs[i]);
    if (options.in_harness) harness.emplace_back(folder / name, task_, options.poison, !checked_);
    const bool noop = options.last_is_noop && i + 1 == inputs.size();
    run_options.arguments.push_back((noop ? "-" : options.waits_at_gate ? "=" : "+") + name);
    folders.push_back(folder / name);
    data += bytes_of(*inputs[i]) + bytes_of(task_.outputs);
  }
  const double seconds = options.time_limit > 0 ? options.time_limit : task_.time_limit;
  run_options.folder = folder.path();
  run_options.limits = limits_for(settings_, seconds, data);
  run_options.exclusive = options.exclusive;
  run_options.waits_at_gate = options.waits_at_gate;
  run_options.order = options.order;
  run_options.next_order_with_each_trial = options.next_orders;
  ProgramRun result;
  result.run = executor_.run(build_, run_options);
  if (result.run.outcome == execute::Run::Outcome::kInterrupted) throw JudgeInterrupted();
  result.outcome = outcome_of(result.run.outcome);
  result.explanation = execute::without_folder(result.run.explanation, folder_.path());
  for (execute::RunFinding& finding : result.run.findings) finding.file = kSourceName;
  if (result.outcome == Outcome::kTimeout)
    result.first_written = take_outputs(folders[0], options).outcome == Outcome::kCorrect;
  for (size_t i = 0; i < inputs.size(); ++i) {
    ProgramOutputs outputs{result.outcome, result.explanation, {}};
    if (result.outcome == Outcome::kCorrect) outputs = take_outputs(folders[i], options);
    if (outputs.outcome == Outcome::kCorrect && options.in_harness) {
      outputs.explanation = harness[i].damage(*inputs[i]);
      if (!outputs.explanation.empty()) outputs.outcome = Outcome::kWrongOutput;
    }
    result.trials.push_back(std::move(outputs));
  }
  return result;
}

uint64_t ProgramRun::written() const {
  return static_cast<uint64_t>(std::count_if(trials.begin(), trials.end(), [](const ProgramOutputs& trial) {
    return trial.outcome == Outcome::kCorrect;
  }));
}

ProgramOutputs ProgramRunner::take_outputs(const fs::path& folder, const ProgramRunOptions& options) const {
  ProgramOutputs taken;
  for (size_t i = 0; i < task_.outputs.size(); ++i) {
    const tasks::TaskOutput& output = task_.outputs[i];
    const uint64_t width = cuset::tasks::bytes_of(output.type);
    const bool exact = !options.counts.empty();
    const uint64_t wanted = exact ? options.counts[i] * width : 0;
    OutputFile file = read_output(folder, data_file(output.name), exact ? wanted : kLargestReferenceOutput);
    std::string fault = fault_of(file, exact ? std::optional(wanted) : std::nullopt, width);
    if (!fault.empty()) {
      taken.outcome = Outcome::kWrongShape;
      taken.explanation = fmt::format("{} {}", data_file(output.name), fault);
      return taken;
    }
    tasks::Array array;
    array.type = output.type;
    const bool as_declared = tasks::count_of(output.shape) * width == file.size;
    array.shape = as_declared ? output.shape : tasks::Shape{static_cast<int64_t>(file.size / width)};
    array.bytes = std::move(file.bytes);
    taken.outputs.push_back(std::move(array));
  }
  return taken;
}

NoopKernels noop_kernels(const execute::Executor& executor, const JudgeSettings& settings) {
  return settings.noop_kernels.value_or(executor.name() == "gpu" ? NoopKernels::kInTrialProcess
                                                                 : NoopKernels::kInOwnProcess);
}

bool switch_stayed_off(const ProgramRun& run) {
  return run.run.process.ending == sandbox::Ending::kExited && run.run.process.exit_status == kStartFailed;
}

std::string as_built(const std::string& code, const ProgramBuildOptions& options) {
  return options.noop_switch ? with_noop_switch(code).value_or(code) : code;
}

size_t most_trials_together(const tasks::Task& task) {
  return std::max<uint64_t>(1, kBytesTogether / std::max<uint64_t>(1, tasks::data_bytes(task)));
}

double device_us(const execute::Run& run) {
  double ms = 0;
  for (const execute::KernelLaunches& kernel : run.kernels) ms += kernel.total_ms;
  return ms * 1000;
}

}  // namespace cuset::judge
