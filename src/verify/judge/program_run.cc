#include "verify/judge/program_run.h"

#include <algorithm>

#include "base/file.h"
#include "verify/execute/emulator_messages.h"
#include "verify/judge/data_files.h"
#include "verify/judge/harness.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSourceName = "answer.cu";
constexpr uint64_t kRoomBesideData = 1ull << 30;
constexpr uint64_t kLargestReferenceOutput = 4ull << 30;

std::string without_folder(std::string text, const fs::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
  return text;
}

Word word_of(Run::Outcome outcome) {
  switch (outcome) {
    case Run::Outcome::kDone:
      return Word::kCorrect;
    case Run::Outcome::kLaunchError:
    case Run::Outcome::kDeviceLost:
      return Word::kLaunchError;
    case Run::Outcome::kTimeout:
      return Word::kTimeout;
    case Run::Outcome::kOutOfMemory:
      return Word::kOutOfMemory;
    case Run::Outcome::kUnsupported:
      return Word::kUnsupported;
    default:
      return Word::kCrash;
  }
}

// Host, device and files may each hold the data once more than the program needs.
SandboxLimits limits_for(const JudgeSettings& settings, double seconds, uint64_t data) {
  SandboxLimits limits = settings.run_limits;
  limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  limits.memory = std::max(limits.memory, 4 * data + kRoomBesideData);
  limits.folder_size = std::max(limits.folder_size, 2 * data + kRoomBesideData);
  limits.file_size = std::max(limits.file_size, data + kRoomBesideData);
  return limits;
}

uint64_t bytes_of(const std::vector<Array>& arrays) {
  uint64_t bytes = 0;
  for (const Array& array : arrays) bytes += array.bytes.size();
  return bytes;
}

uint64_t bytes_of(const std::vector<TaskOutput>& outputs) {
  uint64_t bytes = 0;
  for (const TaskOutput& output : outputs) bytes += count_of(output.shape) * cuset::bytes_of(output.type);
  return bytes;
}

}  // namespace

ProgramRunner::ProgramRunner(Executor& executor, const JudgeSettings& settings, const Task& task,
                             const std::string& source, bool check)
    : executor_(executor), settings_(settings), task_(task) {
  const fs::path file = folder_ / kSourceName;
  write_file_atomic(file, source);
  BuildOptions options;
  options.check = check;
  options.judge_with_nvcc = settings.judge_with_nvcc;
  build_ = executor.build(file, options);
  build_.messages = without_folder(std::move(build_.messages), folder_.path());
  build_.command = without_folder(std::move(build_.command), folder_.path());
}

Word ProgramRunner::word_of_build() const {
  switch (build_.outcome) {
    case Build::Outcome::kDone:
      return Word::kCorrect;
    case Build::Outcome::kCompileError:
    case Build::Outcome::kTimeout:
      return Word::kCompileError;
    case Build::Outcome::kLinkError:
      return Word::kLinkError;
    case Build::Outcome::kUnsupported:
      return Word::kUnsupported;
  }
  return Word::kCompileError;
}

ProgramRun ProgramRunner::run(const std::vector<Array>& inputs, const ProgramRunOptions& options) const {
  const TemporaryFolder folder;
  write_inputs(folder.path(), task_.inputs, inputs);
  std::optional<HarnessFiles> harness;
  if (options.in_harness) harness.emplace(folder.path(), task_, options.poison);
  const double seconds = options.time_limit > 0 ? options.time_limit : task_.time_limit;
  RunOptions run_options;
  run_options.folder = folder.path();
  run_options.limits = limits_for(settings_, seconds, bytes_of(inputs) + bytes_of(task_.outputs));
  ProgramRun result;
  result.run = executor_.run(build_, run_options);
  if (result.run.outcome == Run::Outcome::kInterrupted) throw JudgeInterrupted();
  result.word = word_of(result.run.outcome);
  result.explanation = without_folder(result.run.explanation, folder_.path());
  for (RunFinding& finding : result.run.findings) finding.file = kSourceName;
  if (result.word == Word::kCorrect) take_outputs(folder.path(), options, result);
  if (result.word == Word::kCorrect && harness) {
    if (const std::string damage = harness->damage(inputs); !damage.empty()) {
      result.word = Word::kWrongOutput;
      result.explanation = damage;
    }
  }
  return result;
}

void ProgramRunner::take_outputs(const fs::path& folder, const ProgramRunOptions& options,
                                 ProgramRun& run) const {
  for (size_t i = 0; i < task_.outputs.size(); ++i) {
    const TaskOutput& output = task_.outputs[i];
    const uint64_t width = cuset::bytes_of(output.type);
    const uint64_t wanted = options.counts.empty() ? 0 : options.counts[i] * width;
    OutputFile file = read_output(folder, data_file(output.name),
                                  options.counts.empty() ? kLargestReferenceOutput : wanted);
    std::string fault;
    if (file.state == OutputFile::State::kAbsent) {
      fault = "was not written";
    } else if (file.state == OutputFile::State::kNotAFile) {
      fault = "is not an ordinary file";
    } else if (!options.counts.empty() && file.size != wanted) {
      fault = fmt::format("has {} bytes, wanted {}", file.size, wanted);
    } else if (file.state == OutputFile::State::kTooLarge || file.size == 0 || file.size % width != 0) {
      fault = fmt::format("has {} bytes, no size for {} of type {}", file.size, text_of(output.shape),
                          name_of(output.type));
    }
    if (!fault.empty()) {
      run.word = Word::kWrongShape;
      run.explanation = fmt::format("{} {}", data_file(output.name), fault);
      return;
    }
    Array array;
    array.type = output.type;
    array.shape = count_of(output.shape) * width == file.size
                      ? output.shape
                      : Shape{static_cast<int64_t>(file.size / width)};
    array.bytes = std::move(file.bytes);
    run.outputs.push_back(std::move(array));
  }
}

double device_us(const Run& run) {
  double ms = 0;
  for (const KernelLaunches& kernel : run.kernels) ms += kernel.total_ms;
  return ms * 1000;
}

}  // namespace cuset
