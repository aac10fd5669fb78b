#include "benchmarks/own_tests/test_judge.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/lines.h"
#include "base/stats/random.h"
#include "benchmarks/own_tests/answer_kernels.h"
#include "benchmarks/own_tests/completion.h"
#include "benchmarks/own_tests/host_work_rule.h"
#include "benchmarks/own_tests/test_sources.h"
#include "execute/build/companion_sources.h"
#include "execute/build/compiler_messages.h"
#include "execute/build/emulator_messages.h"
#include "execute/record/host_work.h"
#include "judge/run/program_run.h"
#include "judge/verdict/rules.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeedMark = "{seed}";

std::string last_line(const std::string& text) {
  std::string_view last;
  for (const std::string_view line : base::lines_of(text)) {
    if (line.find_first_not_of(" \t\r") != line.npos) last = line;
  }
  return std::string(last);
}

// The last line that the tests printed, as the end of a sentence; empty where they printed nothing.
std::string said_last(const sandbox::SandboxResult& process) {
  const std::string last = last_line(process.errors.empty() ? process.output : process.errors);
  return last.empty() ? "" : fmt::format(": {}", base::in_quotes(last, 200));
}

// Tests that include the answer accept a continuation of the prompt.
std::string compilable(const tasks::Task& task, const std::string& code) {
  const bool blank = code.find_first_not_of(" \t\r\n") == code.npos;
  return includes_answer(task.tests) && !blank && !task.prompts.empty()
             ? complete_answer(task.prompts[0].text, code)
             : code;
}

struct TestRun {
  judge::Outcome outcome = judge::Outcome::kCorrect;
  std::string explanation;
  execute::Run run;
  std::string host_work;  // what was too much of it; empty: nothing, or it is not counted
};

bool failed_assertion(const sandbox::SandboxResult& process) {
  return process.ending == sandbox::Ending::kSignalled && process.signal == SIGABRT &&
         process.errors.find("ssertion") != std::string::npos;
}

// An end with status 0 that the kernel refused (test_start.h).
bool ended_early(const sandbox::SandboxResult& process) {
  return process.ending == sandbox::Ending::kSignalled && process.signal == SIGSYS;
}

// What a run means that did not end with status 0.
void explain(TestRun& result) {
  const execute::Run& run = result.run;
  result.explanation = run.explanation;
  if (ended_early(run.process)) {
    result.outcome = judge::Outcome::kHack;
    result.explanation = "the program ended with status 0 before its tests had returned";
    return;
  }
  switch (run.outcome) {
    case execute::Run::Outcome::kFailed:
      result.outcome = judge::Outcome::kWrongOutput;
      result.explanation =
          fmt::format("its tests ended with status {}{}", run.process.exit_status, said_last(run.process));
      return;
    case execute::Run::Outcome::kLaunchError:
    case execute::Run::Outcome::kDeviceLost:
      result.outcome = judge::Outcome::kLaunchError;
      return;
    case execute::Run::Outcome::kTimeout:
      result.outcome = judge::Outcome::kTimeout;
      return;
    case execute::Run::Outcome::kOutOfMemory:
      result.outcome = judge::Outcome::kOutOfMemory;
      return;
    case execute::Run::Outcome::kUnsupported:
      result.outcome = judge::Outcome::kUnsupported;
      return;
    default:
      result.outcome = failed_assertion(run.process) ? judge::Outcome::kWrongOutput : judge::Outcome::kCrash;
      if (result.outcome == judge::Outcome::kWrongOutput)
        result.explanation = "an assertion failed" + said_last(run.process);
  }
}

uint64_t launches_of(const execute::Run& run) {
  uint64_t launches = 0;
  for (const execute::KernelLaunches& kernel : run.kernels) launches += kernel.launches;
  return launches;
}

// The tests around one version of the answer: built once, run with any seed.
class BuiltTests {
 public:
  enum class Checks { kOff, kOn };

  BuiltTests(execute::Executor& executor, const judge::JudgeSettings& settings, const tasks::Task& task,
             TestProgram program, Checks checks = Checks::kOff)
      : executor_(executor), settings_(settings), task_(task), program_(std::move(program)) {
    const fs::path file = folder_ / "cuset_empty.cu";
    base::write_file_atomic(file, "");
    execute::BuildOptions options;
    options.standard = task.tests.standard;
    options.defines = task.tests.defines;
    options.libraries = task.tests.libraries;
    options.nvcc_flags = task.tests.nvcc_flags;
    options.judge_with_nvcc = settings.judge_with_nvcc && checks == Checks::kOff;
    options.check = checks == Checks::kOn;
    options.companions = program_.companions;
    build_ = executor.build(file, options);
    if (build_.outcome == execute::Build::Outcome::kInterrupted) throw judge::JudgeInterrupted();
    build_.messages = execute::without_folder(std::move(build_.messages), folder_.path());
  }

  const execute::Build& build() const { return build_; }

  // The threads in this order (execute/executor.h).
  TestRun run(uint64_t seed, double seconds, uint64_t order = 0) const {
    const base::TemporaryFolder folder;
    execute::CompanionSources data;
    data.files = program_.data;
    execute::lay_companions(data, folder.path());
    const bool counted = program_.companions.counts_host_work;
    if (counted) execute::lay_host_work(folder.path());
    execute::RunOptions options;
    options.folder = folder.path();
    options.limits = settings_.run_limits;
    options.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    options.order = order;
    options.arguments = task_.tests.arguments;
    std::replace(options.arguments.begin(), options.arguments.end(), std::string(kSeedMark),
                 std::to_string(seed));
    TestRun result;
    result.run = executor_.run(build_, options);
    judge::stop_unless_it_counts(result.run);
    judge(result);
    if (counted)
      result.host_work = too_much_host_work(execute::read_host_work(folder.path()), launches_of(result.run),
                                            program_.companions.answers.size());
    result.explanation = execute::without_folder(std::move(result.explanation), folder_.path());
    return result;
  }

 private:
  void judge(TestRun& result) const {
    if (result.run.outcome != execute::Run::Outcome::kDone) return explain(result);
    if (result.run.process.output.find(task_.tests.expected_output) == std::string::npos) {
      result.outcome = judge::Outcome::kWrongOutput;
      result.explanation =
          fmt::format("its tests did not print {}", base::in_quotes(task_.tests.expected_output));
    }
  }

  execute::Executor& executor_;
  const judge::JudgeSettings& settings_;
  const tasks::Task& task_;
  TestProgram program_;
  base::TemporaryFolder folder_;  // holds the source
  execute::Build build_;
};

// An answer within its benchmark's tests on its way through the rules.
class TestRules : public judge::Rules {
 public:
  TestRules(execute::Executor& executor, const judge::JudgeSettings& settings, const tasks::Task& task,
            const std::string& code)
      : judge::Rules(task, code), executor_(executor), settings_(settings), code_(compilable(task, code)) {
    verdict_.executor = executor.name();
    verdict_.seed = settings.seed;
  }

 private:
  bool check_answer() override {
    if (!has_sound_task() || !is_supported() || !has_code(code_) ||
        !pass_lint(with_plain_includes(task_, code_)))
      return false;
    if (includes_answer(task_.tests) &&
        (task_.prompts.empty() || kernel_declaration(task_.prompts[0].text).empty()))
      return decide(judge::Outcome::kFaultyTask,
                    "its tests include the answer, and its prompt does not end with the head of a kernel");
    program_ =
        make_test_program(task_, code_, task_.needs_kernel && executor_.checking_executor() == &executor_);
    return program_.lacks.empty() || decide(judge::Outcome::kWrongOutput, program_.lacks);
  }

  bool is_supported() {
    const std::string lacks = executor_.name() == "cpu" ? unsupported_on_cpu() : "";
    return lacks.empty() || decide(judge::Outcome::kUnsupported, lacks);
  }

  std::string unsupported_on_cpu() const {
    for (const std::string& flag : task_.tests.nvcc_flags) {
      if (flag == "-Xcompiler=-fopenmp") return "OpenMP in the tests";
    }
    const std::vector<std::string> own = own_kernels(code_);
    for (const auto& [path, text] : task_.tests.files) {
      for (const std::string& kernel :
           path == task_.tests.answer_file ? std::vector<std::string>() : own_kernels(text)) {
        // The emulator finds kernels by name, and a name once.
        if (std::find(own.begin(), own.end(), kernel) != own.end())
          return fmt::format("the answer and {} both define a kernel {}", path, kernel);
      }
    }
    return "";
  }

  bool compile() override {
    built_.emplace(executor_, settings_, task_, program_);
    add_build_time(built_->build());
    return take_build(built_->build());
  }

  // Tests without a seed do the same every time.
  int trials() const {
    const auto& arguments = task_.tests.arguments;
    return std::find(arguments.begin(), arguments.end(), kSeedMark) == arguments.end() ? 1 : settings_.trials;
  }

  bool run_trials() override {
    base::RandomStream seeds(settings_.seed, task_.id + " seeds of tests");
    for (int i = 0; i < trials() && (i == 0 || verdict_.trials.back().outcome == judge::Outcome::kCorrect);
         ++i)
      verdict_.trials.push_back(run_trial(seeds.next_u32() >> 1));
    return conclude_trials(static_cast<size_t>(trials()));
  }

  judge::Trial run_trial(uint64_t seed) {
    const TestRun run = built_->run(seed, task_.time_limit);
    judge::Trial trial;
    trial.outcome = run.outcome;
    trial.explanation = run.explanation;
    trial.seconds = run.run.process.wall_seconds;
    verdict_.kernels = judge::names_of(run.run.kernels);
    if (host_work_.empty()) host_work_ = run.host_work;
    const bool own_kernel = judge::own_launches(run.run, own_kernels(code_)) > 0;
    if (run.outcome == judge::Outcome::kCorrect && task_.needs_kernel && !own_kernel) {
      trial.outcome = judge::Outcome::kNoKernel;
      trial.explanation = "no kernel of the answer's own was launched";
    }
    trial.fraction_right = trial.outcome == judge::Outcome::kCorrect ? 1 : 0;
    const bool needs_none = !task_.needs_kernel && run.outcome == judge::Outcome::kCorrect;
    verdict_.reward.launched = own_kernel || needs_none ? 1 : 0;
    return trial;
  }

  // Once more with the CPU executor's checks and the threads backward. Tests of others may be unsound themselves: only
  // what is found in the answer's own kernels counts, and a failure only where the natural order passes with checks.
  bool pass_checks() override {
    execute::Executor* const checking = settings_.check ? executor_.checking_executor() : nullptr;
    if (checking == nullptr) return leave_unchecked(judge::why_unchecked(settings_));
    if (const std::string lacks = unsupported_on_cpu(); !lacks.empty()) return leave_unchecked(lacks);
    const BuiltTests checked(*checking, settings_, task_, make_test_program(task_, code_),
                             BuiltTests::Checks::kOn);
    add_build_time(checked.build());
    if (!checked.build().done())  // the checks may be the cause
      return leave_unchecked("they cannot be built with checks: " +
                             execute::first_error(checked.build().messages));
    const TestRun backward = checked.run(1, task_.time_limit, execute::kBackward);
    const std::vector<std::string> own = own_kernels(code_);
    for (const execute::RunFinding& finding : backward.run.findings) {
      const std::string kernel = judge::unqualified_name(finding.kernel);
      if (std::find(own.begin(), own.end(), kernel) != own.end()) verdict_.findings.push_back(finding);
    }
    if (const judge::Outcome ending = backward.outcome;
        ending == judge::Outcome::kTimeout || ending == judge::Outcome::kUnsupported)
      leave_unchecked(fmt::format("{} with checks: {}", judge::name_of(ending), backward.explanation));
    if (settings_.lenient) return true;
    if (!conclude_findings()) return false;
    if (backward.outcome != judge::Outcome::kWrongOutput || !passes(checked)) return true;
    verdict_.reward.fraction_right = 0;
    return decide(judge::Outcome::kUndefinedBehavior,
                  "the tests pass or fail with the order of threads: " + backward.explanation);
  }

  bool leave_unchecked(std::string reason) {
    verdict_.unchecked = std::move(reason);
    return true;
  }

  bool passes(const BuiltTests& tests) const {
    return tests.run(1, task_.time_limit).outcome == judge::Outcome::kCorrect;
  }

  bool prove_work() override {
    const bool is_for_show = passes_without_kernels();
    if (!is_for_show && !program_.companions.counts_host_work && !count_elsewhere()) return false;
    if (!is_for_show && host_work_.empty()) return true;
    verdict_.reward.fraction_right = 0;
    return is_for_show ? refuse_unproven_work("its tests pass")
                       : decide(judge::Outcome::kHostWork, host_work_);
  }

  // Counts once more on another executor, where there is one and it can run the tests: what it cannot run, it says nothing about.
  bool count_elsewhere() {
    execute::Executor* const counting = executor_.checking_executor();
    if (counting == nullptr || includes_answer(task_.tests) || !unsupported_on_cpu().empty()) return true;
    judge::JudgeSettings settings = settings_;
    settings.judge_with_nvcc = false;  // it has compiled the answer
    const BuiltTests tests(*counting, settings, task_, make_test_program(task_, code_, true));
    add_build_time(tests.build());
    if (!tests.build().done()) return !is_refused(tests.build()) || take_build(tests.build());
    const TestRun run = tests.run(1, task_.time_limit);
    if (run.outcome == judge::Outcome::kCorrect) host_work_ = run.host_work;
    return true;
  }

  static bool is_refused(const execute::Build& build) {
    return build.outcome == execute::Build::Outcome::kRejected ||
           build.outcome == execute::Build::Outcome::kHack || execute::refusal_in(build.messages);
  }

  // Then something else passed the tests.
  bool passes_without_kernels() {
    const std::optional<std::string> noop = without_kernels(code_);
    if (!noop) return false;
    const BuiltTests tests(executor_, settings_, task_, make_test_program(task_, *noop));
    if (!tests.build().done()) return false;
    const double seconds = std::min(task_.time_limit, 5 + 2 * verdict_.trials[0].seconds);
    return tests.run(1, seconds).outcome == judge::Outcome::kCorrect;
  }

  execute::Executor& executor_;
  const judge::JudgeSettings& settings_;
  const std::string code_;
  TestProgram program_;
  std::string host_work_;  // of the first trial in which it was too much
  std::optional<BuiltTests> built_;
};

}  // namespace

judge::Verdict judge_tests(execute::Executor& executor, const judge::JudgeSettings& settings,
                           const tasks::Task& task, const std::string& code) {
  return TestRules(executor, settings, task, code).judge();
}

}  // namespace cuset::benchmarks
