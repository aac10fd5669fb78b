#include "verify/benchmarks/kernelbench/module_judge.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/seconds_since.h"
#include "base/sha256.h"
#include "verify/benchmarks/kernelbench/module_expected.h"
#include "verify/benchmarks/kernelbench/module_process.h"
#include "verify/benchmarks/kernelbench/module_timing.h"
#include "verify/benchmarks/kernelbench/python_kernels.h"
#include "verify/judge/compare.h"
#include "verify/judge/judge.h"
#include "verify/judge/kernel_names.h"
#include "verify/judge/trial_report.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// The elements of a list; none where there is no list.
const Json& list_at(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_array() ? *found : none;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

// A process that did not end by itself.
std::optional<Word> word_of_ending(const Run& run) {
  switch (run.outcome) {
    case Run::Outcome::kTimeout:
      return Word::kTimeout;
    case Run::Outcome::kOutOfMemory:
      return Word::kOutOfMemory;
    case Run::Outcome::kCrash:
    case Run::Outcome::kTooMuchOutput:
      return Word::kCrash;
    default:
      return std::nullopt;
  }
}

// What an exception in the answer's process means.
Word word_of_error(const std::string& phase, const std::string& error) {
  if (phase == "import") return Word::kCompileError;
  if (contains(error, "OutOfMemoryError")) return Word::kOutOfMemory;
  return contains(error, "CUDA error") || contains(error, "AcceleratorError") ? Word::kLaunchError
                                                                              : Word::kCrash;
}

// One answer on its way through the rules; each step returns false where the verdict is spoken.
class ModuleJudgement {
 public:
  ModuleJudgement(const ModuleJudgeSettings& settings, const Task& task, const std::string& code)
      : settings_(settings), task_(task), code_(code), own_(kernels_in_python(code)) {
    verdict_.task = task.id;
    verdict_.family = task.family;
    verdict_.word = Word::kCorrect;
    verdict_.executor = settings.gpu ? "gpu" : "cpu";
    verdict_.compiler = settings.python.version;
    verdict_.seed = settings.seed;
    verdict_.code_hash = sha256(code);
  }

  Verdict judge(const std::function<const ModuleExpected&()>& expected) {
    const auto start = std::chrono::steady_clock::now();
    if (can_be_judged()) {
      expected_ = &expected();
      if (has_expected() && run_answer() && judge_trials() && prove_work()) time();
    }
    verdict_.seconds = seconds_since(start);
    return std::move(verdict_);
  }

 private:
  bool can_be_judged() {
    if (!task_.fault.empty()) return speak(Word::kFaultyTask, task_.fault);
    if (code_.find_first_not_of(" \t\r\n") == code_.npos)
      return speak(Word::kNoCode, "the answer holds no code");
    if (task_.needs_kernel && own_.empty())
      return speak(Word::kNoKernel, "the answer defines no CUDA kernel");
    if (task_.needs_kernel && !settings_.gpu)
      return speak(Word::kUnsupported, "modules with kernels need a GPU");
    return true;
  }

  bool has_expected() {
    return expected_->word() == Word::kCorrect || speak(expected_->word(), expected_->explanation());
  }

  ModuleProcess process() const {
    ModuleProcess process{settings_.python, settings_.gpu ? &*settings_.gpu : nullptr, settings_.limits,
                          settings_.confinement};
    process.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(task_.time_limit * 1000));
    return process;
  }

  ModuleRun run_code(const std::string& code, const fs::path& folder) const {
    Json inputs = expected_->lay_inputs(folder, expected_->trials());
    write_file_atomic(folder / "answer.py", code);
    Json seeds = Json::array();
    for (const ModuleTrial& trial : expected_->trials()) seeds.push_back(trial.number);
    const Json request = {{"device", settings_.gpu ? "cuda" : "cpu"},
                          {"model", "ModelNew"},
                          {"weight_seed", expected_->weight_seed()},
                          {"run_seeds", std::move(seeds)},
                          {"trials", std::move(inputs)}};
    ModuleRun run = run_module(process(), "answer", folder, request);
    if (run.run.outcome == Run::Outcome::kInterrupted) throw JudgeInterrupted();
    return run;
  }

  bool run_answer() {
    run_ = run_code(code_, folder_.path());
    verdict_.kernels = names_of(run_.run.kernels);
    const std::string phase = text_at(run_.result, "phase"), error = text_at(run_.result, "error");
    if (const auto word = word_of_ending(run_.run)) {
      verdict_.reward.compiled = phase.empty() || phase == "import" ? 0 : 1;
      return speak(*word, run_.run.explanation);
    }
    verdict_.reward.compiled = phase == "construct" || phase == "run" || phase == "done" ? 1 : 0;
    if (phase == "done") return true;
    if (run_.run.outcome == Run::Outcome::kDone && run_.result.is_object() && run_.result.contains("ended"))
      return speak(Word::kHack, "it ended its process with status 0 before it had run");
    if (phase == "import") verdict_.compiler_messages = error.substr(0, kKeptMessages);
    const std::string reason =
        error.empty() ? "the process left no result" : in_quotes(error.substr(0, error.find('\n')), 300);
    return speak(word_of_error(phase, error), reason);
  }

  bool judge_trials() {
    const Json& results = list_at(run_.result, "trials");
    double right = 0;
    for (size_t i = 0; i < expected_->trials().size(); ++i) {
      const Json result = i < results.size() ? results[i] : Json();
      verdict_.trials.push_back(
          judge_trial(folder_.path(), fmt::format("{}", i), expected_->trials()[i], result));
      const Trial& trial = verdict_.trials.back();
      right += trial.fraction_right;
      if (trial.word != Word::kCorrect && verdict_.word == Word::kCorrect)
        speak(trial.word, trial.explanation);
    }
    verdict_.reward.fraction_right = right / static_cast<double>(expected_->trials().size());
    const bool launched = own_launches(run_.run, own_) >= expected_->trials().size();
    verdict_.reward.launched = launched || (!task_.needs_kernel && verdict_.word == Word::kCorrect) ? 1 : 0;
    if (verdict_.word == Word::kCorrect && task_.needs_kernel && !launched)
      speak(Word::kNoKernel, "no kernel of the answer's own was launched on every input");
    return verdict_.word == Word::kCorrect;
  }

  Trial judge_trial(const fs::path& folder, const std::string& name, const ModuleTrial& expected,
                    const Json& result) const {
    Trial trial;
    trial.variation = expected.variation;
    if (result.is_object() && result.contains("strange")) {
      trial.word = Word::kHack;
      trial.explanation =
          fmt::format("it returns something else than tensors: {}", in_quotes(result["strange"].dump()));
      return trial;
    }
    const Json& outputs = list_at(result, "outputs");
    if (outputs.size() != expected.outputs.size()) {
      trial.word = Word::kWrongShape;
      trial.explanation =
          fmt::format("it returns {} tensors, wanted {}", outputs.size(), expected.outputs.size());
      return trial;
    }
    for (size_t i = 0; i < outputs.size() && trial.word == Word::kCorrect; ++i)
      compare_output(folder, fmt::format("out_{}_{}.bin", name, i), expected.outputs[i], outputs[i], trial);
    if (trial.word != Word::kCorrect) return trial;
    trial.fraction_right = fraction_right(trial.outputs);
    if (trial.fraction_right < 1) {
      trial.word = Word::kWrongOutput;
      trial.explanation = explain_wrong(trial);
    } else if (!list_at(result, "mutated").empty()) {
      trial.word = Word::kWrongOutput;
      trial.explanation = fmt::format("it changes its input {}", list_at(result, "mutated")[0].dump());
    }
    return trial;
  }

  static void compare_output(const fs::path& folder, const std::string& file, const ModuleOutput& expected,
                             const Json& description, Trial& trial) {
    const std::optional<Array> got = read_tensor(folder, file, description);
    if (!got || got->shape != expected.shape || is_floating(got->type) != is_floating(expected.type)) {
      trial.word = Word::kWrongShape;
      trial.explanation = fmt::format(
          "{} is {} of {}, wanted {} of {}", expected.name, got ? name_of(got->type) : "nothing",
          got ? text_of(got->shape) : "any shape", name_of(expected.type), text_of(expected.shape));
      return;
    }
    trial.outputs.push_back(compare(expected.name, *got, expected.wanted, expected.tolerance));
  }

  // The outputs must depend on the kernels, not on PyTorch beside them.
  bool prove_work() {
    if (!task_.needs_kernel) return true;
    const std::optional<std::string> idle = without_kernels_in_python(code_);
    if (!idle) return true;
    const TemporaryFolder folder;
    const ModuleRun run = run_code(*idle, folder.path());
    const Json& trials = list_at(run.result, "trials");
    if (text_at(run.result, "phase") != "done" || trials.empty()) return true;
    const Trial first = judge_trial(folder.path(), "0", expected_->trials()[0], trials[0]);
    if (first.word != Word::kCorrect) return true;
    verdict_.reward.launched = 0;
    return speak(Word::kNoKernel, "its outputs are right even when its kernels do nothing");
  }

  void time() {
    if (!settings_.timing) return;
    const ModuleTimer timer(settings_, *expected_, process());
    const TemporaryFolder folder;
    const ModuleTimes reference = timer.measure("Model", "", folder.path());
    const ModuleTimes answer = timer.measure("ModelNew", code_, folder_.path());
    std::string hack = answer.fault;
    for (const ModuleSample& sample : answer.samples) {
      const Trial trial =
          judge_trial(folder_.path(), sample.name, expected_->timing_trials()[sample.trial], sample.result);
      if (trial.word != Word::kCorrect)
        hack = "its outputs are wrong while it is timed: " + trial.explanation;
    }
    if (hack.empty()) hack = doubt(answer, own_, settings_, task_.needs_kernel);
    if (!hack.empty()) {
      verdict_.reward.fraction_right = 0;
      speak(Word::kHack, hack);
      return;
    }
    verdict_.timing = timing_of(answer, reference);
    verdict_.reward.speedup = verdict_.timing->speedup;
  }

  bool speak(Word word, std::string explanation) {
    verdict_.word = word;
    verdict_.explanation = std::move(explanation);
    return false;
  }

  const ModuleJudgeSettings& settings_;
  const Task& task_;
  const std::string& code_;
  std::vector<std::string> own_;
  const ModuleExpected* expected_ = nullptr;
  TemporaryFolder folder_;  // of the answer's process
  ModuleRun run_;
  Verdict verdict_;
};

}  // namespace

SandboxLimits module_limits() {
  SandboxLimits limits;
  limits.memory = 48ull << 30;
  limits.processes = 1024;
  limits.open_files = 4096;
  limits.file_size = 8ull << 30;
  limits.folder_size = 48ull << 30;
  return limits;
}

Verdict judge_module(const ModuleJudgeSettings& settings, const Task& task, const std::string& code,
                     const std::function<const ModuleExpected&()>& expected) {
  if (settings.trials < 1) throw Error("{} trials: at least one is needed", settings.trials);
  return ModuleJudgement(settings, task, code).judge(expected);
}

Verdict judge_module(const ModuleJudgeSettings& settings, const Task& task, const std::string& code) {
  std::optional<ModuleExpected> expected;
  return judge_module(settings, task, code,
                      [&]() -> const ModuleExpected& { return expected.emplace(settings, task); });
}

}  // namespace cuset
