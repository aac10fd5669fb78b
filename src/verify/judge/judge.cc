#include "verify/judge/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/seconds_since.h"
#include "base/sha256.h"
#include "cuda_source/answer.h"
#include "verify/execute/build/emulator_messages.h"
#include "verify/judge/ablation.h"
#include "verify/benchmarks/kernelbench/module_expected.h"
#include "verify/benchmarks/kernelbench/module_judge.h"
#include "verify/benchmarks/tests/test_judge.h"
#include "verify/judge/compare.h"
#include "verify/judge/expected.h"
#include "verify/judge/harness.h"
#include "verify/judge/kernel_names.h"
#include "verify/judge/lint.h"
#include "verify/judge/program_run.h"
#include "verify/judge/surroundings.h"
#include "verify/judge/timing.h"
#include "verify/judge/trial_report.h"

namespace cuset {
namespace {

constexpr double kInformativeShare = 0.5;
constexpr const char* kIdleSwitch = "cuset_idle";

bool holds_one_value(const Array& array) {
  const size_t size = bytes_of(array.type);
  return array.bytes.size() <= size || std::equal(array.bytes.begin() + static_cast<ptrdiff_t>(size),
                                                  array.bytes.end(), array.bytes.begin());
}

std::string reason_for(NoProgram reason) {
  switch (reason) {
    case NoProgram::kEmpty:
      return "the answer is empty";
    case NoProgram::kUnfinishedReasoning:
      return "the answer ends inside its reasoning";
    default:
      return "the answer holds no code";
  }
}

// Floats of this pattern are NaN, whole numbers far from anything expected.
uint64_t poison_of(RandomStream stream) {
  return (stream.next_u64() & 0x003fffff003fffff) | 0x7fc000007fc00000;
}

std::vector<uint64_t> counts_of(const std::vector<Array>& outputs) {
  std::vector<uint64_t> counts;
  for (const Array& output : outputs) counts.push_back(output.count());
  return counts;
}

}  // namespace

// The expected outputs of the tasks in work, each made once by whoever needs them first.
struct Judge::State {
  struct Entry {
    std::once_flag made;
    Expected expected;
    std::unique_ptr<const ModuleExpected> of_module;
  };

  State(Executor& with, const JudgeSettings& judge_settings) : executor(with), settings(judge_settings) {}

  std::shared_ptr<Entry> entry_of(const Task& task) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<Entry>& entry = entries[task.id];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

  Verdict judge_text(const Task& task, const std::string& answer);
  Verdict judge_program(const Task& task, const std::string& code);
  Verdict judge_module_code(const Task& task, const std::string& code);
  const ModuleJudgeSettings& module_settings();

  Executor& executor;
  JudgeSettings settings;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
  std::optional<ModuleJudgeSettings> modules;
};

namespace {

// One answer on its way through the rules; each step returns false where the verdict is spoken.
class Judgement {
 public:
  Judgement(Executor& executor, const JudgeSettings& settings, const Task& task, Verdict& verdict)
      : executor_(executor),
        settings_(settings),
        task_(task),
        verdict_(verdict),
        idle_(idle_kernels(executor, settings)) {}

  bool take(std::string code) {
    code_ = std::move(code);
    verdict_.code_hash = sha256(code_);
    own_kernels_ = own_kernels(code_);
    if (const auto finding = lint(code_)) {
      const Word word = finding->weight == LintFinding::Weight::kHack ? Word::kHack : Word::kRejected;
      return speak(word, fmt::format("answer.cu:{}: {}", finding->line, finding->text));
    }
    return true;
  }

  bool compile() {
    const auto start = std::chrono::steady_clock::now();
    build_with({.idle_switch = idle_ != IdleKernels::kInOwnBuild});
    // The switch was put where it does not belong.
    if (!runner_->build().done() && runner_->build().messages.find(kIdleSwitch) != std::string::npos) {
      idle_ = IdleKernels::kInOwnBuild;
      build_with({});
    }
    verdict_.build_seconds = seconds_since(start);
    const Build& build = runner_->build();
    verdict_.compiler = build.compiler;
    if (build.done()) {
      verdict_.reward.compiled = 1;
      return true;
    }
    verdict_.compiler_messages = build.messages.substr(0, kKeptMessages);
    return speak(word_of(build.outcome), first_error(build.messages));
  }

  bool has_expected(const Expected& expected) {
    expected_ = &expected;
    if (expected.word == Word::kCorrect) return true;
    verdict_.reward = {};
    return speak(expected.word, expected.explanation);
  }

  bool run_trials() {
    if (!run_together()) run_apart();
    double right = 0;
    for (const Trial& trial : verdict_.trials) {
      right += trial.fraction_right;
      if (trial.word != Word::kCorrect && verdict_.word == Word::kCorrect)
        speak(trial.word, trial.explanation);
    }
    verdict_.reward.fraction_right = right / static_cast<double>(expected_->trials.size());
    return verdict_.word == Word::kCorrect;
  }

  // Rule 5. A record of launches can be forged and a decoy launched; that the outputs go wrong when the
  // kernels do nothing cannot.
  bool prove_work() {
    if (!task_.needs_kernel) return true;
    const std::optional<std::string> idle = without_kernels(code_);
    if (!idle) return speak(Word::kNoKernel, "the answer defines no kernel");
    const ExpectedTrial& first = expected_->trials[0];
    if (idle_outputs_ && !is_right_without_work(first, *idle_outputs_)) return true;
    if (idle_ == IdleKernels::kInOwnProcess && goes_wrong_idle(*runner_, true)) return true;
    // The switch may have been lost (the program resets the device): a build of its own decides.
    const ProgramRunner runner(executor_, settings_, task_, source_of(*idle));
    if (!runner.build().done() || goes_wrong_idle(runner, false)) return true;
    verdict_.reward.launched = 0;
    return speak(Word::kNoKernel, "its outputs are right even when its kernels do nothing");
  }

  bool look_for_findings() {
    if (!settings_.check) return true;
    const ProgramRunner runner(executor_, settings_, task_, source_of(code_), {.check = true});
    if (!runner.build().done()) return true;
    const ExpectedTrial& first = expected_->trials[0];
    ProgramRunOptions options = options_for(first);
    options.time_limit = task_.time_limit;
    verdict_.findings = runner.run(first.inputs, options).run.findings;
    return true;
  }

  void time(const GpuInfo& gpu) {
    if (!settings_.timing) return;
    const ProgramRunner plain(executor_, settings_, task_, source_of(code_));
    std::optional<ProgramRunner> reference;
    if (!task_.oracle.program.empty()) reference.emplace(executor_, settings_, task_, task_.oracle.program);
    const TimedTask timed{task_, settings_, gpu, reference ? &*reference : nullptr};
    ProgramRunOptions options = options_for(expected_->trials[0]);
    options.alone = options.waits_at_gate = true;
    const TimingOutcome outcome = time_answer(timed, plain, options);
    verdict_.timing = outcome.timing;
    if (!outcome.hack.empty()) {
      verdict_.reward.fraction_right = 0;
      speak(Word::kHack, outcome.hack);
    } else if (outcome.timing) {
      verdict_.reward.speedup = outcome.timing->speedup;
    }
  }

 private:
  void build_with(const ProgramBuildOptions& options) {
    runner_.emplace(executor_, settings_, task_, source_of(as_built(code_, options)), options);
  }

  // Whether the first trial fails in a process whose kernels idle, by the switch or as they were built.
  bool goes_wrong_idle(const ProgramRunner& runner, bool by_switch) const {
    const ExpectedTrial& first = expected_->trials[0];
    ProgramRunOptions options = options_for(first);
    options.time_limit = std::min(task_.time_limit, 5 + 2 * verdict_.trials[0].seconds);
    options.last_is_idle = by_switch;
    const ProgramRun run = runner.run(first.inputs, options);
    if (by_switch && switch_was_not_turned(run)) return false;
    return !run.all_written() || !is_right_without_work(first, run.trials[0].outputs);
  }

  bool speak(Word word, std::string explanation) {
    verdict_.word = word;
    verdict_.explanation = std::move(explanation);
    return false;
  }

  std::string source_of(const std::string& code) const {
    return task_.kind == AnswerKind::kFunction ? in_harness(task_, code) : code;
  }

  ProgramRunOptions options_for(const ExpectedTrial& trial) const {
    ProgramRunOptions options;
    options.counts = counts_of(trial.outputs);
    options.in_harness = task_.kind == AnswerKind::kFunction;
    options.poison = poison_of(RandomStream(settings_.seed, task_.id + " poison"));
    return options;
  }

  // All trials in one process. False where single runs have to decide.
  bool run_together() {
    const std::vector<ExpectedTrial>& trials = expected_->trials;
    if (trials_together(task_) < trials.size()) return false;
    std::vector<const std::vector<Array>*> inputs;
    for (const ExpectedTrial& trial : trials) inputs.push_back(&trial.inputs);
    ProgramRunOptions options = options_for(trials[0]);
    options.time_limit = time_together(trials.size());
    const ProgramRun run = run_with_idle(inputs, options);
    if (run.word == Word::kTimeout && !run.first_written) {
      verdict_.trials = {judged(trials[0], run, 0)};
      return true;
    }
    if (run.word != Word::kCorrect) return false;
    for (size_t i = 0; i < trials.size(); ++i) verdict_.trials.push_back(judged(trials[i], run, i));
    if (first_is_wrong() || all_are_correct()) return true;
    // A function is there to be called again; a program may count on a process of its own.
    return task_.kind == AnswerKind::kFunction || a_later_one_is_wrong_alone();
  }

  // The trials and then the first once more with idle kernels, where the switch is built in. What goes wrong
  // with idle kernels says nothing: the trials are run again without that.
  ProgramRun run_with_idle(std::vector<const std::vector<Array>*> inputs, ProgramRunOptions options) {
    if (idle_ != IdleKernels::kInTrialProcess || !task_.needs_kernel) return runner_->run(inputs, options);
    inputs.push_back(inputs[0]);
    options.last_is_idle = true;
    ProgramRun run = runner_->run(inputs, options);
    const bool ended_well = run.word == Word::kCorrect;
    if (ended_well) idle_outputs_ = std::move(run.trials.back().outputs);
    run.trials.pop_back();
    if (ended_well || (run.word == Word::kTimeout && !run.first_written)) return run;
    inputs.pop_back();
    options.last_is_idle = false;
    return runner_->run(inputs, options);
  }

  // An answer that hangs has the time of one trial for all; one that is slow as its reference is has more.
  double time_together(size_t trials) const {
    const auto count = static_cast<double>(trials);
    return std::clamp(3 * count * expected_->reference_seconds, task_.time_limit, count * task_.time_limit);
  }

  void run_apart() {
    verdict_.trials.clear();
    idle_outputs_.reset();  // what goes wrong in later runs even with working kernels proves nothing
    for (const ExpectedTrial& expected : expected_->trials) {
      const ProgramRun run = runner_->run(expected.inputs, options_for(expected));
      verdict_.trials.push_back(judged(expected, run, 0));
      const Word word = verdict_.trials.back().word;
      const bool ran = word == Word::kCorrect || word == Word::kWrongOutput || word == Word::kNoKernel;
      if (!ran) break;  // it would only fail again, and slowly
    }
  }

  bool first_is_wrong() const { return verdict_.trials[0].word != Word::kCorrect; }

  bool all_are_correct() const {
    return std::all_of(verdict_.trials.begin(), verdict_.trials.end(),
                       [](const Trial& trial) { return trial.word == Word::kCorrect; });
  }

  // The first trial that went wrong behind others, in a process of its own.
  bool a_later_one_is_wrong_alone() {
    const auto wrong = std::find_if(verdict_.trials.begin(), verdict_.trials.end(),
                                    [](const Trial& trial) { return trial.word != Word::kCorrect; });
    const ExpectedTrial& expected = expected_->trials[wrong - verdict_.trials.begin()];
    *wrong = judged(expected, runner_->run(expected.inputs, options_for(expected)), 0);
    return wrong->word != Word::kCorrect;
  }

  // Trial number `index` of a process.
  Trial judged(const ExpectedTrial& expected, const ProgramRun& run, size_t index) {
    const ProgramOutputs& got = run.trials[index];
    Trial trial;
    trial.variation = expected.variation;
    trial.seconds = run.run.process.wall_seconds / static_cast<double>(run.trials.size());
    trial.word = got.word;
    trial.explanation = got.explanation;
    verdict_.kernels = names_of(run.run.kernels);
    if (got.word != Word::kCorrect) return trial;
    compare_outputs(expected, got.outputs, trial);
    const bool own_kernel = !task_.needs_kernel || own_launches(run.run, own_kernels_) >= run.written();
    verdict_.reward.launched = own_kernel ? 1 : 0;
    if (trial.fraction_right < 1) {
      trial.word = Word::kWrongOutput;
      trial.explanation = explain_wrong(trial);
    } else if (!own_kernel) {
      trial.word = Word::kNoKernel;
      trial.explanation = "no kernel of the answer's own was launched";
    }
    return trial;
  }

  void compare_outputs(const ExpectedTrial& expected, const std::vector<Array>& outputs, Trial& trial) const {
    for (size_t i = 0; i < outputs.size(); ++i) {
      trial.outputs.push_back(
          compare(task_.outputs[i].name, outputs[i], expected.outputs[i], expected.tolerances[i]));
      for (Difference& difference : trial.outputs.back().first)
        difference.inputs = surroundings(task_.inputs, expected.inputs, difference.index, outputs[i].count());
    }
    trial.fraction_right = fraction_right(trial.outputs);
  }

  // Whether outputs of idle kernels still give half of what zeros would get wrong.
  bool is_right_without_work(const ExpectedTrial& expected, const std::vector<Array>& outputs) const {
    if (outputs.size() != expected.outputs.size()) return false;  // none written
    uint64_t informative = 0, right = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tolerance& tolerance = expected.tolerances[i];
      const Array zeros = Array::zeros(outputs[i].type, outputs[i].shape);
      const OutputComparison of_zeros = compare("", zeros, expected.outputs[i], tolerance);
      const OutputComparison of_idle = compare("", outputs[i], expected.outputs[i], tolerance);
      informative += of_zeros.wrong;
      // Memory that nobody wrote holds one value, as 255 in bytes, which may be the right one in many places.
      if (of_idle.wrong > 0 && holds_one_value(outputs[i])) continue;
      right += of_zeros.wrong - std::min(of_idle.wrong, of_zeros.wrong);
      if (of_idle.wrong == 0 && of_zeros.wrong == 0) ++informative, ++right;
    }
    return static_cast<double>(right) >= kInformativeShare * static_cast<double>(informative);
  }

  Executor& executor_;
  const JudgeSettings& settings_;
  const Task& task_;
  Verdict& verdict_;
  std::string code_;
  std::vector<std::string> own_kernels_;  // by name
  IdleKernels idle_;
  std::optional<std::vector<Array>> idle_outputs_;  // of trial 0; empty where none were written
  std::optional<ProgramRunner> runner_;
  const Expected* expected_ = nullptr;
};

}  // namespace

Judge::Judge(Executor& executor, const JudgeSettings& settings)
    : state_(std::make_unique<State>(executor, settings)) {
  if (state_->settings.trials < 1) throw Error("{} trials: at least one is needed", state_->settings.trials);
}

Judge::~Judge() = default;

Verdict Judge::judge(const Task& task, const std::string& answer) {
  const auto start = std::chrono::steady_clock::now();
  Verdict verdict = state_->judge_text(task, answer);
  verdict.task = task.id;
  verdict.family = task.family;
  verdict.executor = state_->executor.name();
  verdict.seed = state_->settings.seed;
  verdict.seconds = seconds_since(start);
  return verdict;
}

Verdict Judge::State::judge_text(const Task& task, const std::string& answer) {
  Verdict none;
  const Extraction extraction = extract_code(answer);
  if (!extraction.program) {
    none.explanation = reason_for(extraction.reason);
    return none;
  }
  const ProgramLanguage wanted =
      task.kind == AnswerKind::kModule ? ProgramLanguage::kPython : ProgramLanguage::kCuda;
  if (extraction.program->language != wanted) {
    none.code_hash = sha256(extraction.program->code);
    none.explanation = fmt::format("the answer's code is {}, wanted {}",
                                   name_of(extraction.program->language), name_of(wanted));
    return none;
  }
  if (task.kind == AnswerKind::kModule) return judge_module_code(task, extraction.program->code);
  if (task.kind == AnswerKind::kTests) return judge_tests(executor, settings, task, extraction.program->code);
  return judge_program(task, extraction.program->code);
}

Verdict Judge::State::judge_program(const Task& task, const std::string& code) {
  Verdict verdict;
  verdict.word = Word::kCorrect;
  Judgement judgement(executor, settings, task, verdict);
  if (!judgement.take(code) || !judgement.compile()) return verdict;
  const auto entry = entry_of(task);
  std::call_once(entry->made, [&] { entry->expected = make_expected(executor, settings, task); });
  if (!judgement.has_expected(entry->expected)) return verdict;
  const bool correct = judgement.run_trials() && judgement.prove_work();
  judgement.look_for_findings();
  if (correct) judgement.time(executor.gpu());
  return verdict;
}

Verdict Judge::State::judge_module_code(const Task& task, const std::string& code) {
  const ModuleJudgeSettings& module_judge = module_settings();
  const auto entry = entry_of(task);
  return judge_module(module_judge, task, code, [&]() -> const ModuleExpected& {
    std::call_once(entry->made,
                   [&] { entry->of_module = std::make_unique<const ModuleExpected>(module_judge, task); });
    return *entry->of_module;
  });
}

// Python is looked for when the first module is judged.
const ModuleJudgeSettings& Judge::State::module_settings() {
  const std::lock_guard lock(mutex);
  if (!modules) {
    ModuleJudgeSettings found;
    found.python = find_python_with_torch();
    if (executor.name() == "gpu") found.gpu = find_module_gpu(0);
    found.seed = settings.seed;
    found.trials = settings.trials;
    found.timing = settings.timing;
    found.timed_runs = std::max(found.timed_runs, 10 * settings.timing_rounds);
    found.limits = module_limits();
    found.confinement = settings.confinement;
    modules = std::move(found);
  }
  return *modules;
}

void Judge::forget(const Task& task) {
  const std::lock_guard lock(state_->mutex);
  state_->entries.erase(task.id);
}

}  // namespace cuset
