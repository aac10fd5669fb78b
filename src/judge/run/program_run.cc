#include "judge/run/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files/scratch_file.h"
#include "base/interrupt.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/emulator_messages.h"
#include "execute/build/leading_headers.h"
#include "judge/run/data_files.h"
#include "judge/run/downloads.h"
#include "judge/run/harness.h"
#include "judge/run/raw_calls.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceName = "answer.cu";
constexpr uint64_t kRoomBesideData = 1ull << 30;
constexpr uint64_t kLargestReferenceOutput = 4ull << 30;
constexpr const char* kSplitTrial = "trial0";
constexpr uint64_t kMostFiles = 4096;
constexpr uint64_t kBytesTogether = 2ull << 30;
constexpr uint64_t kMostThroughPipes = 256ull << 20;

// Calls the program's main, or the harness, in every folder that is named after a "+" or a "=" (the process
// first makes its context and waits at the gate of gpu_gate.h); the program itself sees only "+". A source of ours, compiled by itself behind kRawCalls.
constexpr const char* kStart = R"(
extern "C" {
int cudaFree(void*);
int %RUN%(int, char**);
__attribute__((weak)) void cuset_begin_trial(unsigned long);
}

namespace {

void wait_at_gate() {
  cudaFree(nullptr);
  create("ready");
  while (!exists("go")) sleep_microseconds(500);
}

}  // namespace

extern "C" int __wrap_main(int count, char** words) {
  char* own[2] = {words[0], nullptr};
  int status = 0, gate = 0;
  for (int i = 1; i < count; ++i) {
    if (words[i][0] == '=') gate = i;
    words[i][0] = '+';
  }
  if (gate != 0) wait_at_gate();
  for (int i = 1; i < count && status == 0; ++i) {
    if (change_folder(words[i] + 1) != 0) return 71;
    if (cuset_begin_trial) cuset_begin_trial(i - 1);
    status = %RUN%(1, own);
    if (i + 1 < count && change_folder("..") != 0) return 71;
  }
  return status;
}
)";

constexpr const char* kStartName = "cuset_start.cc";

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
  const std::string start = replaced(kStart, "%RUN%", harness ? "cuset_run" : "__real_main");
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
  limits.files = std::min(limits.files, kMostFiles);
  limits.memory = std::max(limits.memory, 4 * data + kRoomBesideData);
  limits.folder_size = std::max(limits.folder_size, 2 * data + kRoomBesideData);
  limits.file_size = std::max(limits.file_size, data + kRoomBesideData);
  return limits;
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

// Inputs of which the host sees other contents than the device.
std::vector<execute::InputMask> masks_of(const std::vector<tasks::Array>& shown,
                                         const std::vector<tasks::Array>& real) {
  std::vector<execute::InputMask> masks;
  for (size_t i = 0; i < real.size(); ++i)
    if (shown[i].bytes != real[i].bytes)
      masks.push_back({shown[i].bytes, real[i].bytes, std::string(tasks::name_of(real[i].type))});
  return masks;
}

// What the source opens with is put before our start, too, where an executor looks for it to have it
// precompiled.
std::string headers_first(const std::string& source) {
  std::string lines;
  for (const std::string& header : execute::leading_headers(source)) lines += "#include <" + header + ">\n";
  return lines;
}

// What `run` gives, and gives once more where a process was killed from outside.
template <typename Run, typename WasKilled>
auto repeat_after_kill(const Run& run, const WasKilled& was_killed) {
  auto result = run();
  for (int i = 0; i < sandbox::kMostRepeats && was_killed(result); ++i) result = run();
  return result;
}

}  // namespace

ProgramRunner::ProgramRunner(execute::Executor& executor, const JudgeSettings& settings,
                             const tasks::Task& task, const std::string& source,
                             const ProgramBuildOptions& build_options)
    : executor_(executor), settings_(settings), task_(task), checked_(build_options.check) {
  const fs::path file = folder_ / kSourceName;
  base::write_scratch_file(file, headers_first(source) + kAnswer + source);
  build_options_.companions.wrap_main = true;
  build_options_.companions.plain_sources = {{kStartName, start_of(task, build_options)}};
  build_options_.companions.isolation = isolation_of(task, build_options);
  build_options_.check = build_options.check;
  build_options_.judge_with_nvcc = settings.judge_with_nvcc;
  build_ = executor.build(file, build_options_);
  if (build_.outcome == execute::Build::Outcome::kInterrupted) throw JudgeInterrupted();
  build_.messages = execute::without_folder(std::move(build_.messages), folder_.path());
  build_.command = execute::without_folder(std::move(build_.command), folder_.path());
}

ProgramRun ProgramRunner::run(std::span<const std::vector<tasks::Array>* const> inputs,
                              const ProgramRunOptions& options) const {
  ProgramRun result = repeat_after_kill([&] { return run_once(inputs, options); },
                                        [](const ProgramRun& run) { return run.run.process.stray_kill; });
  if (result.outcome == Outcome::kUnsupported) heed_nvcc(result);
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

// What the executor could not run may be nonsense that no compiler accepts.
void ProgramRunner::heed_nvcc(ProgramRun& unsupported) const {
  execute::BuildOptions options = build_options_;
  options.judge_with_nvcc = true;
  const execute::Build build = executor_.build(folder_ / kSourceName, options);
  if (build.outcome == execute::Build::Outcome::kInterrupted) throw JudgeInterrupted();
  if (outcome_of(build.outcome) != Outcome::kCompileError) return;
  unsupported.outcome = Outcome::kCompileError;
  unsupported.explanation = execute::first_error(build.messages);
  if (unsupported.explanation.empty())  // the assembler words its errors in another way
    unsupported.explanation =
        fmt::format("nvcc refuses it: {}", build.messages.substr(0, build.messages.find('\n')));
  unsupported.trials.assign(unsupported.trials.size(), {unsupported.outcome, unsupported.explanation, {}});
}

ProgramRun ProgramRunner::refused_for_want_of_time(size_t trials) const {
  ProgramRun refused;
  refused.outcome = Outcome::kTimeout;
  refused.explanation = "its runs have used up the time that all of them may take";
  refused.run.outcome = execute::Run::Outcome::kTimeout;
  refused.trials.assign(trials, {refused.outcome, refused.explanation, {}});
  return refused;
}

ProgramRun ProgramRunner::run_once(std::span<const std::vector<tasks::Array>* const> inputs,
                                   const ProgramRunOptions& options) const {
  if (options.budget != nullptr && options.budget->is_spent()) return refused_for_want_of_time(inputs.size());
  const base::TemporaryFolder folder;
  execute::RunOptions run_options;
  std::vector<HarnessFiles> harness;
  std::vector<TrialFolder> trials;
  uint64_t data = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = fmt::format("trial{}", i);
    trials.emplace_back(folder / name, task_, *inputs[i]);
    if (options.in_harness) harness.emplace_back(folder / name, task_, options.poison, !checked_);
    run_options.arguments.push_back((options.waits_at_gate ? "=" : "+") + name);
    data += bytes_of(*inputs[i]) + bytes_of(task_.outputs);
  }
  run_options.folder = folder.path();
  run_options.limits = limits_of(options, data);
  run_options.exclusive = options.exclusive;
  run_options.waits_at_gate = options.waits_at_gate;
  run_options.order = options.order;
  run_options.next_order_with_each_trial = options.next_orders;
  ProgramRun result;
  result.run = run_process(run_options, options.is_trusted && data <= kMostThroughPipes);
  stop_unless_it_counts(result.run);
  if (options.budget != nullptr) options.budget->spend(result.run.process.wall_seconds);
  result.outcome = outcome_of(result.run.outcome);
  result.explanation = execute::without_folder(result.run.explanation, folder_.path());
  for (execute::RunFinding& finding : result.run.findings) finding.file = kSourceName;
  if (result.outcome == Outcome::kTimeout)
    result.first_written = take_outputs(trials[0], options).outcome == Outcome::kCorrect;
  for (size_t i = 0; i < inputs.size(); ++i) {
    ProgramOutputs outputs{result.outcome, result.explanation, {}};
    if (result.outcome == Outcome::kCorrect) outputs = take_outputs(trials[i], options);
    // What it wrote before it asked for what is unsupported is its answer all the same.
    if (result.outcome == Outcome::kUnsupported) outputs.outputs = take_outputs(trials[i], options).outputs;
    if (outputs.outcome == Outcome::kCorrect && options.in_harness) {
      outputs.explanation = harness[i].damage(*inputs[i]);
      if (!outputs.explanation.empty()) outputs.outcome = Outcome::kWrongOutput;
    }
    result.trials.push_back(std::move(outputs));
  }
  return result;
}

// A context takes the GPU's driver longer than most programs run, and it makes one at a time.
execute::Run ProgramRunner::run_process(const execute::RunOptions& options, bool may_share_context) const {
  if (may_share_context && executor_.name() == "gpu") {
    execute::SplitOptions as_if_alone;
    as_if_alone.trusted = as_if_alone.zeroed = true;
    const std::optional<execute::SplitRun> split = executor_.run_split(build_, options, as_if_alone);
    if (split && split->host.outcome == execute::Run::Outcome::kDone &&
        split->device.outcome == execute::Run::Outcome::kDone)
      return split->host;
  }
  return executor_.run(build_, options);
}

sandbox::SandboxLimits ProgramRunner::limits_of(const ProgramRunOptions& options, uint64_t data) const {
  double seconds = options.time_limit > 0 ? options.time_limit : task_.time_limit;
  if (options.budget != nullptr) seconds = std::min(seconds, options.budget->left());
  return limits_for(settings_, seconds, data);
}

std::optional<SplitProgramRun> ProgramRunner::run_split(const SplitInputs& inputs,
                                                        const ProgramRunOptions& options) const {
  execute::SplitOptions split;
  split.masks = masks_of(inputs.shown, inputs.real);
  split.unbroken = inputs.unbroken;
  return run_split(inputs.shown, split, options);
}

std::optional<RecordedProgram> ProgramRunner::record(const std::vector<tasks::Array>& shown,
                                                     const ProgramRunOptions& options) const {
  execute::SplitOptions recorded;
  recorded.record = true;
  std::optional<SplitProgramRun> run = run_split(shown, recorded, options);
  if (!run || run->outputs.outcome != Outcome::kCorrect || run->requests.empty()) return std::nullopt;
  return RecordedProgram{shown, std::move(run->requests), std::move(run->downloads),
                         std::move(run->outputs.outputs)};
}

std::optional<SplitProgramRun> ProgramRunner::replay(const RecordedProgram& recorded,
                                                     const SplitInputs& inputs,
                                                     const ProgramRunOptions& options) const {
  execute::SplitOptions split;
  split.masks = masks_of(inputs.shown, inputs.real);
  split.unbroken = inputs.unbroken;
  split.replayed_requests = recorded.requests;
  std::optional<SplitProgramRun> run = run_split(inputs.shown, split, options);
  if (!run || run->outputs.outcome != Outcome::kCorrect) return run;
  auto outputs = outputs_of_other(recorded.downloads, run->downloads, recorded.outputs);
  if (!outputs) return std::nullopt;
  run->outputs = ProgramOutputs{Outcome::kCorrect, "", *std::move(outputs)};
  return run;
}

// Where the device failed or the time ran out beside other programs, which may have used up both, once more
// exclusively. A host that ends by itself has its own reasons.
std::optional<SplitProgramRun> ProgramRunner::run_split(const std::vector<tasks::Array>& shown,
                                                        execute::SplitOptions split,
                                                        const ProgramRunOptions& options) const {
  split.timed = options.timed;
  split.idle_kernels = options.idle_kernels;
  split.trusted = options.is_trusted;
  std::optional<SplitProgramRun> run =
      repeat_after_kill([&] { return run_split_once(shown, split, options); },
                        [](const std::optional<SplitProgramRun>& one) { return one && one->stray_kill; });
  if (!run || !run->device.was_shared || run->outputs.outcome == Outcome::kUnsupported) return run;
  const bool device_is_done = run->device.outcome == execute::Run::Outcome::kDone;
  if (device_is_done && run->outputs.outcome != Outcome::kTimeout) return run;
  ProgramRunOptions exclusive = options;
  exclusive.exclusive = true;
  return run_split_once(shown, split, exclusive);
}

std::optional<SplitProgramRun> ProgramRunner::run_split_once(const std::vector<tasks::Array>& shown,
                                                             const execute::SplitOptions& split,
                                                             const ProgramRunOptions& options) const {
  const base::TemporaryFolder folder;
  const TrialFolder trial(folder / kSplitTrial, task_, shown);
  if (options.in_harness) HarnessFiles::lay_poison(folder / kSplitTrial, options.poison);
  execute::RunOptions run_options;
  run_options.arguments = {fmt::format("+{}", kSplitTrial)};
  run_options.folder = folder.path();
  run_options.exclusive = options.exclusive;
  run_options.limits = limits_of(options, 4 * (bytes_of(shown) + bytes_of(task_.outputs)));
  std::optional<execute::SplitRun> run = executor_.run_split(build_, run_options, split);
  if (!run) return std::nullopt;
  const bool has_host = split.replayed_requests.empty();
  if (has_host) stop_unless_it_counts(run->host);
  stop_unless_it_counts(run->device);
  if (options.budget != nullptr) options.budget->spend(run->device.process.wall_seconds);
  SplitProgramRun result;
  result.stray_kill = (has_host && run->host.process.stray_kill) || run->device.process.stray_kill;
  result.downloads = std::move(run->downloads);
  result.requests = std::move(run->requests);
  result.kernel_us = run->kernel_ms * 1000;
  const bool host_is_done = !has_host || run->host.outcome == execute::Run::Outcome::kDone;
  const execute::Run& half = host_is_done ? run->device : run->host;
  result.outputs.outcome = outcome_of(half.outcome);
  result.outputs.explanation = execute::without_folder(half.explanation, folder_.path());
  if (has_host && result.outputs.outcome == Outcome::kCorrect) result.outputs = take_outputs(trial, options);
  result.device = std::move(run->device);
  // CUPTI measures kernels alone, our own process with what it takes to start them.
  if (!result.device.kernels.empty()) result.kernel_us = device_us(result.device);
  return result;
}

uint64_t ProgramRun::written() const {
  return static_cast<uint64_t>(std::count_if(trials.begin(), trials.end(), [](const ProgramOutputs& trial) {
    return trial.outcome == Outcome::kCorrect;
  }));
}

ProgramOutputs ProgramRunner::take_outputs(const TrialFolder& trial, const ProgramRunOptions& options) const {
  ProgramOutputs taken;
  if (!trial.is_in_place())
    return {Outcome::kHack, "it put something else in the place of its working folder", {}};
  for (size_t i = 0; i < task_.outputs.size(); ++i) {
    const tasks::TaskOutput& output = task_.outputs[i];
    const uint64_t width = cuset::tasks::bytes_of(output.type);
    const bool exact = !options.counts.empty();
    const uint64_t wanted = exact ? options.counts[i] * width : 0;
    OutputFile file = trial.read(data_file(output.name), exact ? wanted : kLargestReferenceOutput);
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
  const std::string changed = options.counts.empty() ? "" : trial.changed_input();
  if (!changed.empty()) {
    taken.outcome = Outcome::kWrongOutput;
    taken.explanation = fmt::format("it changed its input {}", data_file(changed));
  }
  return taken;
}

// A signal that is meant for all of us may also have ended the program itself.
void stop_unless_it_counts(const execute::Run& run) {
  const bool is_done = run.outcome == execute::Run::Outcome::kDone;
  if (run.outcome == execute::Run::Outcome::kInterrupted || (!is_done && base::is_interrupt_requested()))
    throw JudgeInterrupted();
  if (run.outcome != execute::Run::Outcome::kDeviceLost) return;
  throw base::Error("{}", run.explanation)
      .with_remedy(
          "restore the GPU (nvidia-smi --gpu-reset, or restart the machine), then give the same command: what "
          "has no verdict yet is judged again");
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
