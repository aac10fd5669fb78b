#include "judge/trials/expected.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>

#include "base/error.h"
#include "execute/build/emulator_messages.h"
#include "judge/run/program_run.h"
#include "judge/trials/compare.h"
#include "judge/trials/peak_trials.h"
#include "tasks/oracles/oracles.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kMuchData = 16ull << 20;  // bytes of one trial
constexpr double kShortRun = 3;              // seconds of a reference that is asked for more than its trials

// Thrown where the task gives no trials; it holds the verdict on every answer to the task.
struct NoTrials {
  Outcome outcome;
  std::string explanation;
};

ProgramRunOptions as_trusted() {
  ProgramRunOptions options;
  options.is_trusted = true;
  return options;
}

class Maker {
 public:
  Maker(execute::Executor& executor, const JudgeSettings& settings, TaskScripts& scripts,
        const tasks::Task& task)
      : executor_(executor),
        settings_(settings),
        scripts_(scripts),
        task_(task),
        stream_(settings.seed, task.id) {
    for (const tasks::TaskOutput& output : task.outputs) expected_.demanded.push_back(output.tolerance);
  }

  Expected make() {
    refuse_large_data();
    if (!task_.oracle.program.empty()) build_reference();
    draw_trials();
    run_trials();
    if (keeps_state_) expected_.reference_seconds = reference_seconds_;
    replace_strange_trials();
    refuse_constant_outputs();
    add_peak_trials();
    fit_tolerances();
    return std::move(expected_);
  }

 private:
  void refuse_large_data() const {
    if (tasks::data_bytes(task_) > settings_.data_limit) {
      throw NoTrials{
          Outcome::kUnsupported,
          fmt::format("the task's data is larger than the limit of {} bytes", settings_.data_limit)};
    }
  }

  void build_reference() {
    // As an answer is built, so that a reference judged as an answer is compiled once.
    const ProgramBuildOptions options{.is_reference = true};
    reference_.emplace(executor_, settings_, task_, task_.oracle.program, options);
    const execute::Build& build = reference_->build();
    if (build.done()) return;
    const bool unsupported = build.outcome == execute::Build::Outcome::kUnsupported ||
                             build.outcome == execute::Build::Outcome::kTimeout;
    throw NoTrials{unsupported ? Outcome::kUnsupported : Outcome::kFaultyTask,
                   "the reference program does not compile: " + execute::first_error(build.messages)};
  }

  // Whole-number outputs of real inputs point at things; exact zeros make ties, which any answer may break.
  tasks::Variation variation_of(int trial) const {
    if (trial == settings_.trials) return tasks::Variation::kLowEdge;
    if (trial > settings_.trials) return tasks::Variation::kHighEdge;
    const tasks::Variation wanted = static_cast<tasks::Variation>(trial % tasks::kSpreads);
    const bool points =
        std::any_of(task_.outputs.begin(), task_.outputs.end(),
                    [](const tasks::TaskOutput& output) { return !tasks::is_floating(output.type); });
    const bool real =
        std::any_of(task_.inputs.begin(), task_.inputs.end(),
                    [](const tasks::TaskInput& input) { return tasks::is_floating(input.type); });
    return wanted == tasks::Variation::kZerosAndSigns && points && real ? tasks::Variation::kPlain : wanted;
  }

  // Our own oracles say how ties are broken and what happens at the end of a domain; a program or a script does
  // what it does.
  int trial_count() const {
    const bool has_edges = settings_.trials > 1 && task_.input_script.empty() && !task_.oracle.native.empty();
    return settings_.trials + (has_edges ? 2 : 0);
  }

  // Much data takes long to draw and to look at, and its judgement is often the last that is running.
  std::launch at_the_same_time() const {
    return tasks::data_bytes(task_) > kMuchData ? std::launch::async : std::launch::deferred;
  }

  void draw_trials() {
    if (!task_.input_script.empty()) return draw_by_script();
    const auto draw = [this](int i) {
      return drawn(variation_of(i), stream_.child(static_cast<uint64_t>(i)));
    };
    std::vector<std::future<ExpectedTrial>> trials;
    for (int i = 0; i < trial_count(); ++i) trials.push_back(std::async(at_the_same_time(), draw, i));
    for (std::future<ExpectedTrial>& trial : trials) expected_.trials.push_back(trial.get());
  }

  void draw_by_script() {
    std::vector<InputDraw> draws;
    for (int i = 0; i < trial_count(); ++i)
      draws.push_back({variation_of(i), stream_.child(static_cast<uint64_t>(i))});
    ScriptedTrials made = run_script(draws, true);
    for (size_t i = 0; i < draws.size(); ++i)
      expected_.trials.push_back({draws[i].variation, std::move(made.inputs[i]), {}, {}});
    demand(made.tolerances);
  }

  ScriptedTrials run_script(std::span<const InputDraw> draws, bool compare) const {
    ScriptedTrials made = scripts_.run(task_, draws, compare);
    if (made.outcome != Outcome::kCorrect)
      throw NoTrials{made.outcome, fmt::format("{}: {}", task_.place, made.explanation)};
    return made;
  }

  // Whole numbers are compared exactly. Of large results float32 itself keeps no more, whatever the script
  // says.
  void demand(const std::map<std::string, tasks::Tolerance>& found) {
    constexpr double kLeastRelative = 1e-6;
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      const auto tolerance = found.find(task_.outputs[i].name);
      if (tolerance == found.end() || !tasks::is_floating(task_.outputs[i].type)) continue;
      expected_.demanded[i] = {tolerance->second.absolute,
                               std::max(tolerance->second.relative, kLeastRelative)};
    }
  }

  ExpectedTrial drawn(tasks::Variation variation, const base::RandomStream& stream) const {
    ExpectedTrial trial;
    trial.variation = variation;
    if (!task_.input_script.empty()) {
      const InputDraw draw{variation, stream};
      trial.inputs = std::move(run_script({&draw, 1}, false).inputs[0]);
      return trial;
    }
    try {
      trial.inputs = tasks::make_inputs(task_, variation, stream);
    } catch (const base::Error& error) {
      throw NoTrials{Outcome::kFaultyTask, error.one_line()};
    }
    return trial;
  }

  void run_trials() {
    if (!reference_) {
      for (ExpectedTrial& trial : expected_.trials) trial.outputs = native_outputs(trial.inputs);
      return;
    }
    keeps_state_ = !run_together();
    if (keeps_state_) run_apart();
  }

  // All trials and the first once more in one process. False where that does not show the same as single runs
  // would: the reference keeps a state.
  bool run_together() {
    const size_t count = expected_.trials.size();
    if (most_trials_together(task_) < count + 1) return false;
    std::vector<const std::vector<tasks::Array>*> inputs;
    for (const ExpectedTrial& trial : expected_.trials) inputs.push_back(&trial.inputs);
    inputs.push_back(&expected_.trials[0].inputs);
    ProgramRun run = reference_->run(inputs, as_trusted());
    if (run.outcome == Outcome::kTimeout && !run.first_written) throw no_outputs(run.trials[0]);
    if (!run.all_written() || !same_outputs(run.trials[0].outputs, run.trials[count].outputs)) return false;
    for (size_t i = 0; i < count; ++i) expected_.trials[i].outputs = std::move(run.trials[i].outputs);
    expected_.reference_seconds = run.run.process.wall_seconds / static_cast<double>(count + 1);
    return true;
  }

  // A process for each trial: on a GPU several at a time, which wait for the disk and for their contexts longer than they
  // work.
  void run_apart() {
    const size_t count = expected_.trials.size(), at_once = executor_.name() == "gpu" ? 3 : 1;
    std::vector<tasks::Array> again;
    for (size_t first = 0; first <= count; first += at_once) {
      std::vector<std::future<std::vector<tasks::Array>>> runs;
      for (size_t i = first; i <= count && i < first + at_once; ++i)
        runs.push_back(std::async(at_once > 1 ? std::launch::async : std::launch::deferred,
                                  [&, i] { return reference_outputs(expected_.trials[i % count].inputs); }));
      for (size_t i = first; i < first + runs.size(); ++i)
        (i < count ? expected_.trials[i].outputs : again) = runs[i - first].get();
    }
    // A reference that races with itself gives an answer no chance.
    if (!same_outputs(expected_.trials[0].outputs, again))
      throw NoTrials{Outcome::kFaultyTask,
                     "the reference program gives different outputs for the same inputs"};
  }

  bool same_outputs(const std::vector<tasks::Array>& some, const std::vector<tasks::Array>& others) const {
    for (size_t i = 0; i < some.size(); ++i)
      if (!all_right(some[i], others[i], expected_.demanded[i])) return false;
    return true;
  }

  // A variation that leads outside of what the operation is defined for tells nothing.
  void replace_strange_trials() {
    for (size_t i = 0; i < expected_.trials.size(); ++i) {
      ExpectedTrial& trial = expected_.trials[i];
      if (trial.variation == tasks::Variation::kPlain || !has_strange_numbers(trial)) continue;
      trial = drawn(tasks::Variation::kPlain, stream_.child(i).child("plain"));
      trial.outputs = reference_ ? reference_outputs(trial.inputs) : native_outputs(trial.inputs);
    }
  }

  std::vector<tasks::Array> native_outputs(const std::vector<tasks::Array>& inputs) const {
    return tasks::oracle_named(task_.oracle.native, task_)(task_, inputs);
  }

  std::vector<tasks::Array> reference_outputs(const std::vector<tasks::Array>& inputs) {
    ProgramRun run = reference_->run(inputs, as_trusted());
    reference_seconds_ = run.run.process.wall_seconds;
    ProgramOutputs& trial = run.trials[0];
    if (trial.outcome == Outcome::kCorrect) return std::move(trial.outputs);
    throw no_outputs(trial);
  }

  static NoTrials no_outputs(const ProgramOutputs& trial) {
    const bool unsupported = trial.outcome == Outcome::kUnsupported || trial.outcome == Outcome::kTimeout ||
                             trial.outcome == Outcome::kOutOfMemory;
    return {unsupported ? Outcome::kUnsupported : Outcome::kFaultyTask,
            fmt::format("the reference program gives no outputs ({}): {}", name_of(trial.outcome),
                        trial.explanation)};
  }

  static bool has_strange_numbers(const ExpectedTrial& trial) {
    bool strange = false;
    for (const tasks::Array& output : trial.outputs) {
      if (!tasks::is_floating(output.type)) continue;
      output.visit_blocks([&](std::span<const double> values) {
        for (const double value : values) strange = strange || !std::isfinite(value);
        return !strange;
      });
    }
    return strange;
  }

  void refuse_constant_outputs() const {
    if (expected_.trials.size() < 2) return;
    const auto& first = expected_.trials[0].outputs;
    for (const ExpectedTrial& trial : expected_.trials) {
      for (size_t i = 0; i < first.size(); ++i)
        if (trial.outputs[i].bytes != first[i].bytes) return;
    }
    throw NoTrials{Outcome::kFaultyTask,
                   "the expected outputs are the same for all inputs: a constant would pass"};
  }

  void add_peak_trials() {
    std::vector<const std::vector<tasks::Array>*> outputs;
    for (const ExpectedTrial& trial : expected_.trials) outputs.push_back(&trial.outputs);
    if (outputs.size() < 2 || keeps_state_ || expected_.reference_seconds > kShortRun ||
        !may_be_sums(task_, outputs))
      return;
    std::vector<std::vector<tasks::Array>> inputs = inputs_with_peaks();
    std::vector<std::vector<tasks::Array>> tried = outputs_of(inputs);
    const std::optional<PeakLevel> level = choose_level(tried);
    for (size_t i = 0; level && i < kPeakTrials; ++i) {
      const size_t one = level->first + i;
      expected_.trials.push_back(
          {tasks::Variation::kPeak, std::move(inputs[one]), std::move(tried[one]), {}, level->rest});
    }
  }

  // Of peaks_to_try(); none where the script does not work with them.
  std::vector<std::vector<tasks::Array>> inputs_with_peaks() const {
    const base::RandomStream stream = stream_.child("peaks");
    std::vector<InputDraw> draws;
    for (const tasks::Peaks& peaks : peaks_to_try())
      draws.push_back({tasks::Variation::kPeak, stream, peaks});
    if (!task_.input_script.empty()) return scripts_.run(task_, draws, false).inputs;
    std::vector<std::vector<tasks::Array>> inputs;
    for (const InputDraw& draw : draws)
      inputs.push_back(tasks::make_inputs(task_, draw.variation, draw.stream, draw.peaks));
    return inputs;
  }

  // None where the reference does not give all of them.
  std::vector<std::vector<tasks::Array>> outputs_of(
      const std::vector<std::vector<tasks::Array>>& inputs) const {
    std::vector<std::vector<tasks::Array>> outputs;
    if (inputs.empty()) return outputs;
    if (!reference_) {
      for (const std::vector<tasks::Array>& each : inputs) outputs.push_back(native_outputs(each));
      return outputs;
    }
    std::vector<const std::vector<tasks::Array>*> pointers;
    for (const std::vector<tasks::Array>& each : inputs) pointers.push_back(&each);
    ProgramRun run = reference_->run(pointers, as_trusted());
    if (!run.all_written()) return outputs;
    for (ProgramOutputs& trial : run.trials) outputs.push_back(std::move(trial.outputs));
    return outputs;
  }

  void fit_tolerances() {
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      std::vector<double> largest;  // of every trial
      for (const ExpectedTrial& trial : expected_.trials) largest.push_back(largest_finite(trial.outputs[i]));
      double of_all = 0;
      for (size_t t = 0; t < largest.size(); ++t)
        if (expected_.trials[t].variation != tasks::Variation::kPeak) of_all = std::max(of_all, largest[t]);
      const auto fitted = [&](size_t t) {
        const ExpectedTrial& trial = expected_.trials[t];
        ToleranceContext context{&task_.inputs, &trial.inputs, of_all, largest[t], largest[0], nullptr};
        if (t > 0) context.plain = &expected_.trials[0].outputs[i];
        if (trial.variation == tasks::Variation::kPeak) context.share_of_peak = share_of_peak(trial.rest);
        return fit_tolerance(expected_.demanded[i], task_.outputs[i], trial.outputs[i], context);
      };
      std::vector<std::future<tasks::Tolerance>> tolerances;
      for (size_t t = 0; t < expected_.trials.size(); ++t)
        tolerances.push_back(std::async(at_the_same_time(), fitted, t));
      for (size_t t = 0; t < expected_.trials.size(); ++t)
        expected_.trials[t].tolerances.push_back(tolerances[t].get());
    }
  }

  execute::Executor& executor_;
  const JudgeSettings& settings_;
  TaskScripts& scripts_;
  const tasks::Task& task_;
  base::RandomStream stream_;
  std::optional<ProgramRunner> reference_;
  std::atomic<double> reference_seconds_ = 0;  // of its last process
  bool keeps_state_ = false;                   // the reference gives its outputs only in a fresh process
  Expected expected_;
};

}  // namespace

Expected make_expected(execute::Executor& executor, const JudgeSettings& settings, TaskScripts& scripts,
                       const tasks::Task& task) {
  Expected none;
  if (!task.fault.empty()) {
    none.outcome = Outcome::kFaultyTask;
    none.explanation = task.fault;
    return none;
  }
  try {
    return Maker(executor, settings, scripts, task).make();
  } catch (const NoTrials& reason) {
    none.outcome = reason.outcome;
    none.explanation = reason.explanation;
  }
  return none;
}

}  // namespace cuset::judge
