#include "judge/programs/program_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>

#include "base/interrupt.h"
#include "base/stats/random.h"
#include "execute/build/emulator_messages.h"
#include "judge/programs/device_proof.h"
#include "judge/programs/timing.h"
#include "judge/run/harness.h"
#include "judge/run/program_run.h"
#include "judge/trials/compare.h"
#include "judge/verdict/rules.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kLittleData = 4 << 20;  // bytes of one trial that a checked program gets through quickly
constexpr double kCheckedSeconds = 4;  // for all trials of a checked program; else they run without checks

// Floats of this pattern are NaN, whole numbers far from anything expected.
uint64_t poison_of(base::RandomStream stream) {
  return (stream.next_u64() & 0x003fffff003fffff) | 0x7fc000007fc00000;
}

std::vector<uint64_t> counts_of(const std::vector<tasks::Array>& outputs) {
  std::vector<uint64_t> counts;
  for (const tasks::Array& output : outputs) counts.push_back(output.count());
  return counts;
}

enum class Purpose {
  kVerdict,
  kChecks,  // the answer is right elsewhere
};

// A whole program or a function in our harness on its way through the rules.
class ProgramRules : public Rules {
 public:
  ProgramRules(const ProgramJudging& with, const ProgramAnswer& answer,
               const std::function<const Expected&()>& expected, Purpose purpose = Purpose::kVerdict)
      : Rules(answer.task, answer.code),
        executor_(with.executor),
        settings_(with.settings),
        scripts_(with.scripts),
        code_(answer.code),
        purpose_(purpose),
        has_kernels_(answer.code.find("__global__") != std::string::npos),
        checks_trials_(checks() && !with.settings.lenient && tasks::data_bytes(answer.task) <= kLittleData),
        make_expected_(expected) {}

  // Of Purpose::kChecks.
  Verdict check() {
    if (!compile() || !obtain_expected()) return std::move(verdict_);
    if (checks_trials_ && !run_trials()) {
      name_dependence_on_checks();
    } else {
      pass_checks();
    }
    return std::move(verdict_);
  }

 private:
  bool check_answer() override { return pass_lint(code_); }

  bool compile() override {
    build();
    // What is not about a line of the answer may be due to the checks.
    if (!runner_->build().done() && checks_trials_ &&
        runner_->build().messages.find("answer.cu:") == std::string::npos) {
      checks_trials_ = false;
      build();
    }
    return take_build(runner_->build()) && pass_imports(runner_->build(), executor_.name() == "gpu");
  }

  bool obtain_expected() override {
    expected_ = &make_expected_();
    budget_.renew(std::max(settings_.answer_seconds, 2 * time_together(expected_->trials.size())));
    return take_expected(expected_->outcome, expected_->explanation);
  }

  bool run_trials() override {
    if (!run_together()) run_apart();
    if (!runner_->build().done()) return take_build(runner_->build());
    name_order_dependence();
    const bool is_correct = conclude_trials(expected_->trials.size());
    if (verdict_.outcome == Outcome::kWrongOutput) explain_by_findings();
    return is_correct;
  }

  // Rule 6. Where the trials ran without checks (much data), the first runs once more with them, and with the
  // threads in another order.
  bool pass_checks() override {
    if (!checks()) return pass_checks_elsewhere();
    const std::optional<Trial> repeated = checks_trials_ ? std::nullopt : repeat_with_checks();
    if (settings_.lenient) return true;
    if (!conclude_findings()) return false;
    if (!repeated || repeated->outcome == Outcome::kCorrect) return true;
    // Trials that ran elsewhere do not say what the natural order gives here.
    if (purpose_ == Purpose::kChecks && judged_apart(0, 0).outcome != Outcome::kCorrect)
      return decide(repeated->outcome, repeated->explanation);
    return decide(Outcome::kUndefinedBehavior,
                  "the outputs depend on the order of threads or streams: " + repeated->explanation);
  }

  // On an executor that has none, by the one beside it, for the same source.
  bool pass_checks_elsewhere() {
    execute::Executor* const checking = settings_.check ? executor_.checking_executor() : nullptr;
    if (checking == nullptr) {
      verdict_.unchecked = why_unchecked(settings_);
      return true;
    }
    JudgeSettings settings = settings_;
    settings.judge_with_nvcc = false;  // it has compiled the answer
    return take_checks(check_program({*checking, settings, scripts_}, {task_, code_}, *expected_),
                       settings_.lenient);
  }

  // Rule 7. What cannot be proven is not correct.
  bool prove_work() override {
    prove(options_for(expected_->trials[0]));
    if (proof_->state == DeviceProof::State::kProven) return own_kernels_matter();
    verdict_.reward.launched = 0;
    return decide(proof_->state == DeviceProof::State::kRefuted ? Outcome::kHostWork : Outcome::kUnsupported,
                  proof_->explanation);
  }

  // Kernels of a library, beside which the answer's own may be for show.
  bool own_kernels_matter() {
    if (!has_other_kernels_) return true;
    const ProgramRunOptions options = options_for(expected_->trials[0]);
    if (!is_right_without(launched_own_, *proof_, *runner_, task_, *expected_, options)) return true;
    return refuse_unproven_work("its outputs are right");
  }

  // A run that was not made for want of time proves nothing.
  bool is_within_budget() override {
    if (!budget_.is_spent()) return true;
    return decide(Outcome::kTimeout, "its runs took more time than all of them may take together");
  }

  void time() override {
    if (!settings_.timing) return;
    ProgramRunOptions options = options_for(expected_->trials[0]);
    // A task that needs no kernel has no proof yet; who cannot give one is not timed.
    if (!proof_) prove(options);
    if (proof_->state != DeviceProof::State::kProven) return;
    const TimedTask timed{task_,           settings_,         scripts_, expected_->demanded,
                          executor_.gpu(), timing_reference()};
    options.timed = true;
    options.budget = nullptr;
    const TimingOutcome outcome = time_answer(timed, *runner_, *proof_, options);
    take_timing(outcome.timing, outcome.hack);
  }

  void prove(const ProgramRunOptions& options) {
    proof_ = prove_on_device(*runner_, task_, *expected_, [this] { return reference(); }, options);
  }

  // The task's own program; null where it has none.
  const ProgramRunner* reference() {
    const ProgramBuildOptions whole{.is_reference = true};
    if (!reference_ && !task_.oracle.program.empty())
      reference_.emplace(executor_, settings_, task_, task_.oracle.program, whole);
    return reference_ ? &*reference_ : nullptr;
  }

  // What it is timed against: the task's baseline, else its own program.
  const ProgramRunner* timing_reference() {
    if (task_.baseline.empty()) return reference();
    const ProgramBuildOptions whole{.is_reference = true};
    if (!baseline_) baseline_.emplace(executor_, settings_, task_, task_.baseline, whole);
    return &*baseline_;
  }

  bool checks() const { return settings_.check && executor_.checking_executor() == &executor_; }

  void build() {
    runner_.emplace(executor_, settings_, task_, source_of(code_),
                    ProgramBuildOptions{.check = checks_trials_});
    add_build_time(runner_->build());
  }

  // False where it does not build so: the compiler had no time left, say.
  bool build_without_checks() {
    checks_trials_ = false;
    build();
    return runner_->build().done();
  }

  // Its findings go into the verdict. Nothing where not even the order can be tried: that is not held against the answer.
  std::optional<Trial> repeat_with_checks() {
    const ProgramRunner runner(executor_, settings_, task_, source_of(code_), {.check = true});
    add_build_time(runner.build());
    if (!runner.build().done()) {
      verdict_.unchecked = "it cannot be built with checks: " + execute::first_error(runner.build().messages);
      return std::nullopt;
    }
    const ExpectedTrial& first = expected_->trials[0];
    ProgramRunOptions options = options_for(first);
    options.time_limit = purpose_ == Purpose::kChecks ? kCheckedSeconds : task_.time_limit;
    options.order = execute::kBackward;
    const ProgramRun run = runner.run(first.inputs, options);
    verdict_.findings = run.run.findings;
    const bool too_much = run.outcome == Outcome::kTimeout || run.outcome == Outcome::kOutOfMemory ||
                          run.outcome == Outcome::kUnsupported;
    if (!too_much) return judged(first, run, 0);
    verdict_.unchecked = fmt::format("{} with checks: {}", name_of(run.outcome), run.explanation);
    return purpose_ == Purpose::kChecks ? std::nullopt : repeat_in_other_order();
  }

  // What checks do not get through must at least not depend on the order of threads: else being slow would be a way
  // around them.
  std::optional<Trial> repeat_in_other_order() {
    const ProgramRun run = run_of(0, execute::kBackward);
    if (run.outcome == Outcome::kTimeout || run.outcome == Outcome::kOutOfMemory) return std::nullopt;
    return judged(expected_->trials[0], run, 0);
  }

  std::string source_of(const std::string& code) const {
    return task_.kind == tasks::AnswerKind::kFunction ? in_harness(task_, code) : code;
  }

  ProgramRunOptions options_for(const ExpectedTrial& trial) const {
    ProgramRunOptions options;
    options.counts = counts_of(trial.outputs);
    options.in_harness = task_.kind == tasks::AnswerKind::kFunction;
    options.budget = &budget_;
    options.poison = poison_of(base::RandomStream(settings_.seed, task_.id + " poison"));
    return options;
  }

  // Whether every trial of a program has a process of its own, to which no other trial's folder is visible. On a GPU
  // a process costs more than most programs, and a function has to work when it is called again.
  bool sees_one_trial() const {
    return task_.kind == tasks::AnswerKind::kProgram && executor_.name() != "gpu";
  }

  // All trials in one process. False where a process for each trial has to decide.
  bool run_together() {
    const std::vector<ExpectedTrial>& trials = expected_->trials;
    if (sees_one_trial() || most_trials_together(task_) < trials.size()) return false;
    std::vector<const std::vector<tasks::Array>*> inputs;
    for (const ExpectedTrial& trial : trials) inputs.push_back(&trial.inputs);
    ProgramRunOptions options = options_for(trials[0]);
    options.time_limit = time_together(trials.size());
    options.next_orders = checks_trials_;
    if (checks_trials_) options.time_limit = std::min(options.time_limit, kCheckedSeconds);
    ProgramRun run = runner_->run(inputs, options);
    if (run.outcome == Outcome::kTimeout && may_leave_checks()) {
      options.next_orders = false;
      if (!build_without_checks()) return true;
      options.time_limit = time_together(trials.size());
      run = runner_->run(inputs, options);
    }
    if (run.outcome == Outcome::kTimeout && !run.first_written) {
      verdict_.trials = {judged(trials[0], run, 0)};
      return true;
    }
    if (run.outcome != Outcome::kCorrect) return false;
    for (size_t i = 0; i < trials.size(); ++i) verdict_.trials.push_back(judged(trials[i], run, i));
    if (first_is_wrong() || all_are_correct()) return true;
    // A function must work when it is called again; a program may rely on a fresh process.
    return task_.kind == tasks::AnswerKind::kFunction || a_later_trial_fails_in_its_own_process();
  }

  // The limit of one trial for all of them, so that an answer that hangs ends soon; more where the reference is
  // slow, too.
  double time_together(size_t trials) const {
    const auto count = static_cast<double>(trials);
    return std::clamp(3 * count * expected_->reference_seconds, task_.time_limit, count * task_.time_limit);
  }

  // Whether trials that take too long with checks run without.
  bool may_leave_checks() const { return checks_trials_ && purpose_ == Purpose::kVerdict; }

  void run_apart() {
    run_each();
    if (!may_leave_checks() || verdict_.trials.back().outcome != Outcome::kTimeout) return;
    if (build_without_checks()) run_each();
  }

  // The first by itself, where most wrong answers end. The others, where they are short, in pairs, and on a GPU: a process
  // waits for its sandbox, the disk and its context longer than it works.
  void run_each() {
    verdict_.trials.clear();
    const size_t count = expected_->trials.size(), at_once = checks_trials_              ? 2
                                                             : executor_.name() == "gpu" ? 3
                                                                                         : 1;
    for (size_t first = 0, behind = 1; first < count;
         first = behind, behind = std::min(first + at_once, count)) {
      std::vector<std::future<ProgramRun>> runs;
      for (size_t i = first; i < behind; ++i)
        runs.push_back(base::async_in_scope([this, i] { return run_of(i, checks_trials_ ? i : 0); }));
      for (size_t i = first; i < behind; ++i) {
        verdict_.trials.push_back(judged(expected_->trials[i], runs[i - first].get(), 0));
        const Outcome outcome = verdict_.trials.back().outcome;
        const bool ran =
            outcome == Outcome::kCorrect || outcome == Outcome::kWrongOutput || outcome == Outcome::kNoKernel;
        if (!ran) return;  // it would only fail again, and slowly
      }
    }
  }

  // One trial in a process of its own, the threads in this order.
  ProgramRun run_of(size_t index, uint64_t order) const {
    const ExpectedTrial& expected = expected_->trials[index];
    ProgramRunOptions options = options_for(expected);
    options.order = order;
    if (checks_trials_) options.time_limit = std::min(task_.time_limit, kCheckedSeconds);
    return runner_->run(expected.inputs, options);
  }

  Trial judged_apart(size_t index, uint64_t order) {
    return judged(expected_->trials[index], run_of(index, order), 0);
  }

  // Trials that run with checks have an order of threads each. Is the first that failed right in the natural
  // one?
  void name_order_dependence() {
    const size_t wrong = first_wrong();
    if (!checks_trials_ || wrong == 0 || wrong == verdict_.trials.size()) return;
    Trial& trial = verdict_.trials[wrong];
    if (trial.outcome != Outcome::kWrongOutput) return;
    if (judged_apart(wrong, wrong).outcome == Outcome::kCorrect) return;  // it depends on earlier calls
    if (judged_apart(wrong, 0).outcome != Outcome::kCorrect) return;
    trial.outcome = Outcome::kUndefinedBehavior;
    trial.explanation = "the outputs depend on the order of threads: " + trial.explanation;
  }

  // Checks fill memory and delay streams. What is right only without them relied on what nobody promised; what is wrong in
  // either way may be so for want of a GPU.
  void name_dependence_on_checks() {
    const size_t wrong = first_wrong();
    const Outcome outcome = verdict_.outcome;
    const bool gave_other_outputs =
        outcome == Outcome::kWrongOutput || outcome == Outcome::kWrongShape || outcome == Outcome::kCrash;
    if (!gave_other_outputs || wrong == verdict_.trials.size()) return;
    if (!build_without_checks() || judged_apart(wrong, 0).outcome != Outcome::kCorrect) return;
    decide(
        Outcome::kUndefinedBehavior,
        "the outputs depend on unwritten memory or on work that nobody waited for: " + verdict_.explanation);
  }

  size_t first_wrong() const {
    const auto wrong = std::find_if(verdict_.trials.begin(), verdict_.trials.end(),
                                    [](const Trial& trial) { return trial.outcome != Outcome::kCorrect; });
    return static_cast<size_t>(wrong - verdict_.trials.begin());
  }

  bool first_is_wrong() const { return verdict_.trials[0].outcome != Outcome::kCorrect; }

  bool all_are_correct() const { return first_wrong() == verdict_.trials.size(); }

  // The first trial that went wrong after others, repeated in a fresh process.
  bool a_later_trial_fails_in_its_own_process() {
    const size_t wrong = first_wrong();
    verdict_.trials[wrong] = judged_apart(wrong, checks_trials_ ? wrong : 0);
    return verdict_.trials[wrong].outcome != Outcome::kCorrect;
  }

  // Trial number `index` of a process.
  Trial judged(const ExpectedTrial& expected, const ProgramRun& run, size_t index) {
    const ProgramOutputs& got = run.trials[index];
    Trial trial;
    trial.variation = expected.variation;
    trial.seconds = run.run.process.wall_seconds / static_cast<double>(run.trials.size());
    trial.outcome = got.outcome;
    trial.explanation = got.explanation;
    verdict_.kernels = names_of(run.run.kernels);
    note_kernels(run.run.kernels);
    if (got.outcome == Outcome::kUnsupported && got.outputs.size() == task_.outputs.size())
      return judged_as_left(expected, got, std::move(trial));
    if (checks_trials_) add_findings(run.run.findings);
    if (got.outcome != Outcome::kCorrect) return trial;
    compare_outputs(expected, got.outputs, trial);
    const bool own_kernel = !task_.needs_kernel || launches_of_own(run.run) >= run.written();
    verdict_.reward.launched = own_kernel ? 1 : 0;
    if (trial.fraction_right < 1) {
      trial.outcome = Outcome::kWrongOutput;
      trial.explanation = explain_wrong(trial);
    } else if (!own_kernel) {
      trial.outcome = Outcome::kNoKernel;
      trial.explanation = "no kernel of the answer's own was launched";
    }
    return trial;
  }

  // Of the kernels that its text defines, also by macros. Those of CUDA's own libraries cannot be proven.
  bool is_own_kernel(const std::string& recorded_name) const {
    const std::optional<std::vector<std::string>>& own = runner_->build().own_kernels;
    return !is_in_library(recorded_name) &&
           (!own || std::binary_search(own->begin(), own->end(), recorded_name));
  }

  uint64_t launches_of_own(const execute::Run& run) const {
    uint64_t launches = 0;
    for (const execute::KernelLaunches& kernel : run.kernels)
      if (has_kernels_ && is_own_kernel(kernel.name)) launches += launches_without_failure(kernel);
    return launches;
  }

  void note_kernels(const std::vector<execute::KernelLaunches>& kernels) {
    launched_own_.clear();
    for (const execute::KernelLaunches& kernel : kernels) {
      if (is_own_kernel(kernel.name))
        launched_own_.push_back(kernel.name);
      else
        has_other_kernels_ = true;
    }
  }

  // A program that had written its outputs before it reached what is unsupported: wrong outputs decide.
  Trial judged_as_left(const ExpectedTrial& expected, const ProgramOutputs& got, Trial trial) const {
    compare_outputs(expected, got.outputs, trial);
    if (trial.fraction_right == 1) return trial;
    trial.outcome = Outcome::kWrongOutput;
    trial.explanation = explain_wrong(trial);
    return trial;
  }

  void add_findings(const std::vector<execute::RunFinding>& findings) {
    for (const execute::RunFinding& finding : findings) {
      const bool is_known = std::any_of(
          verdict_.findings.begin(), verdict_.findings.end(), [&](const execute::RunFinding& known) {
            return known.kind == finding.kind && known.line == finding.line && known.text == finding.text;
          });
      if (!is_known) verdict_.findings.push_back(finding);
    }
  }

  void compare_outputs(const ExpectedTrial& expected, const std::vector<tasks::Array>& outputs,
                       Trial& trial) const {
    for (size_t i = 0; i < outputs.size(); ++i) {
      trial.outputs.push_back(
          compare(task_.outputs[i].name, outputs[i], expected.outputs[i], expected.tolerances[i]));
      for (Difference& difference : trial.outputs.back().first)
        difference.inputs = inputs_near(task_.inputs, expected.inputs, difference.index, outputs[i].count());
    }
    trial.fraction_right = fraction_right(trial.outputs);
  }

  execute::Executor& executor_;
  const JudgeSettings& settings_;
  TaskScripts& scripts_;
  const std::string& code_;
  const Purpose purpose_;
  const bool has_kernels_;  // the source defines some
  bool checks_trials_;      // the build of the trials has the emulator's checks
  const std::function<const Expected&()>& make_expected_;
  const Expected* expected_ = nullptr;
  mutable RunBudget budget_{0};  // runs are const, but take from it
  std::optional<ProgramRunner> runner_;
  std::vector<std::string> launched_own_;  // as recorded, in the last run; also those that macros make
  bool has_other_kernels_ = false;         // a library's kernels were launched in a run
  std::optional<DeviceProof> proof_;
  std::optional<ProgramRunner> reference_;
  std::optional<ProgramRunner> baseline_;
};

}  // namespace

Verdict judge_program(const ProgramJudging& with, const ProgramAnswer& answer,
                      const std::function<const Expected&()>& expected) {
  return ProgramRules(with, answer, expected).judge();
}

Verdict check_program(const ProgramJudging& with, const ProgramAnswer& answer, const Expected& expected) {
  const std::function<const Expected&()> known = [&]() -> const Expected& { return expected; };
  return ProgramRules(with, answer, known, Purpose::kChecks).check();
}

}  // namespace cuset::judge
