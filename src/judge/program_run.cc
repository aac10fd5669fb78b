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
#include "judge/raw_calls.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceName = "answer.cu";
constexpr int kStartFailed = 71;
constexpr uint64_t kRoomBesideData = 1ull << 30;
constexpr uint64_t kLargestReferenceOutput = 4ull << 30;
constexpr uint64_t kBytesTogether = 2ull << 30;

// Calls the program's main, or the harness, in every folder that is named after a "+", a "-" (with no-op
// kernels) or a "=" (the process first makes its context and waits at the gate of gpu_gate.h); the program
// itself sees only "+". A source of ours, compiled by itself behind kRawCalls.
constexpr const char* kStart = R"(
extern "C" {
int cudaFree(void*);
int cudaMemcpyToSymbol(const void*, const void*, Size, Size, int);
int %RUN%(int, char**);
%SWITCH%
}

namespace {

// A program that waits for its kernels' work would hang: after other runs an alarm ends it in a few seconds.
int turn_on_noop(bool after_others) {
  const int on = 1;
  if (cuset_noop_switch == nullptr) return 1;
  if (after_others) raw_call(kAlarm, 5 + 2 * processor_seconds());
  return cudaMemcpyToSymbol(cuset_noop_switch, &on, sizeof on, 0, 1);
}

void wait_at_gate() {
  cudaFree(nullptr);
  create("ready");
  while (!exists("go")) sleep_microseconds(500);
}

}  // namespace

extern "C" int __wrap_main(int count, char** words) {
  char* own[2] = {words[0], nullptr};
  int status = 0, noop = 0, gate = 0;
  for (int i = 1; i < count; ++i) {
    if (words[i][0] == '-') noop = i;
    if (words[i][0] == '=') gate = i;
    words[i][0] = '+';
  }
  if (gate != 0) wait_at_gate();
  for (int i = 1; i < count && status == 0; ++i) {
    if (i == noop && turn_on_noop(i > 1) != 0) return 71;
    if (change_folder(words[i] + 1) != 0) return 71;
    status = %RUN%(1, own);
    if (i + 1 < count && change_folder("..") != 0) return 71;
  }
  return status;
}
)";

constexpr const char* kStartName = "cuset_start.cc";

// In front of the answer, whose kernels read the switch; the start turns it by its address.
constexpr const char* kWithSwitch = R"(static __device__ int cuset_noop;
#ifndef __CUDA_ARCH__
extern "C" __attribute__((visibility("hidden"), used)) const void* const cuset_noop_switch = &cuset_noop;
#endif
)";

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
  return text;
}

bool is_in_harness(const tasks::Task& task, const ProgramBuildOptions& options) {
  return task.kind == tasks::AnswerKind::kFunction && !options.is_reference;
}

// The sources of ours that are linked with an answer.
std::string start_of(const tasks::Task& task, const ProgramBuildOptions& options) {
  const bool harness = is_in_harness(task, options);
  const char* noop_switch = options.noop_switch ? "extern const void* const cuset_noop_switch;"
                                                : "static const void* const cuset_noop_switch = nullptr;";
  std::string start = replaced(kStart, "%RUN%", harness ? "cuset_run" : "__real_main");
  start = replaced(std::move(start), "%SWITCH%", noop_switch);
  return kRawCalls + start + (harness ? harness_source(task) : "");
}

execute::Isolation isolation_of(const tasks::Task& task, const ProgramBuildOptions& options) {
  if (!is_in_harness(task, options)) return execute::Isolation::kProgram;
  return task.function.kernel ? execute::Isolation::kKernels : execute::Isolation::kFunction;
}

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
    : executor_(executor), settings_(settings), task_(task) {
  const fs::path file = folder_ / kSourceName;
  const char* noop_switch = build_options.noop_switch ? kWithSwitch : "";
  base::write_scratch_file(file, headers_first(source) + fmt::format("{}{}{}", noop_switch, kAnswer, source));
  execute::BuildOptions options;
  options.companions.wrap_main = true;
  options.companions.plain_sources = {{kStartName, start_of(task, build_options)}};
  options.companions.isolation = isolation_of(task, build_options);
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
    if (options.in_harness) harness.emplace_back(folder / name, task_, options.poison);
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
