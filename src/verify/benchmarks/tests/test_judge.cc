#include "verify/benchmarks/tests/test_judge.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/seconds_since.h"
#include "base/sha256.h"
#include "base/temporary_folder.h"
#include "verify/execute/build/companion_sources.h"
#include "verify/execute/build/compiler_messages.h"
#include "verify/execute/build/emulator_messages.h"
#include "verify/judge/ablation.h"
#include "verify/benchmarks/tests/completion.h"
#include "verify/benchmarks/tests/test_sources.h"
#include "verify/judge/data_files.h"
#include "verify/judge/kernel_names.h"
#include "verify/judge/lint.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeedMark = "{seed}";

std::string fresh_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

std::string last_line(const std::string& text) {
  std::string_view last;
  for (const std::string_view line : lines_of(text)) {
    if (line.find_first_not_of(" \t\r") != line.npos) last = line;
  }
  return std::string(last);
}

// What the tests said last, as the end of a sentence; empty where they said nothing.
std::string said_last(const SandboxResult& process) {
  const std::string last = last_line(process.errors.empty() ? process.output : process.errors);
  return last.empty() ? "" : fmt::format(": {}", in_quotes(last, 200));
}

// Tests that include the answer take what goes on from the prompt.
std::string compilable(const Task& task, const std::string& code) {
  const auto& sources = task.tests.sources;
  const bool included = std::find(sources.begin(), sources.end(), task.tests.answer_file) == sources.end();
  const bool blank = code.find_first_not_of(" \t\r\n") == code.npos;
  return included && !blank && !task.prompts.empty() ? completed(task.prompts[0].text, code) : code;
}

struct TestRun {
  Word word = Word::kCorrect;
  std::string explanation;
  Run run;
};

bool failed_assertion(const SandboxResult& process) {
  return process.ending == Ending::kSignalled && process.signal == SIGABRT &&
         process.errors.find("ssertion") != std::string::npos;
}

// What a run that left no right token means; status 0 is then a lie.
void explain(TestRun& result) {
  const Run& run = result.run;
  result.explanation = run.explanation;
  switch (run.outcome) {
    case Run::Outcome::kDone:
      result.word = Word::kHack;
      result.explanation = "the program ended with status 0 before its tests had returned";
      return;
    case Run::Outcome::kFailed:
      result.word = Word::kWrongOutput;
      result.explanation =
          fmt::format("its tests ended with status {}{}", run.process.exit_status, said_last(run.process));
      return;
    case Run::Outcome::kLaunchError:
    case Run::Outcome::kDeviceLost:
      result.word = Word::kLaunchError;
      return;
    case Run::Outcome::kTimeout:
      result.word = Word::kTimeout;
      return;
    case Run::Outcome::kOutOfMemory:
      result.word = Word::kOutOfMemory;
      return;
    case Run::Outcome::kUnsupported:
      result.word = Word::kUnsupported;
      return;
    default:
      result.word = failed_assertion(run.process) ? Word::kWrongOutput : Word::kCrash;
      if (result.word == Word::kWrongOutput)
        result.explanation = "an assertion failed" + said_last(run.process);
  }
}

// The tests around one version of the answer: built once, run with any seed.
class BuiltTests {
 public:
  BuiltTests(Executor& executor, const JudgeSettings& settings, const Task& task, TestProgram program)
      : executor_(executor), settings_(settings), task_(task), program_(std::move(program)) {
    const fs::path file = folder_ / "cuset_start.cu";
    write_file_atomic(file, program_.start);
    BuildOptions options;
    options.standard = task.tests.standard;
    options.defines = task.tests.defines;
    options.libraries = task.tests.libraries;
    options.nvcc_flags = task.tests.nvcc_flags;
    options.judge_with_nvcc = settings.judge_with_nvcc;
    options.companions = program_.companions;
    build_ = executor.build(file, options);
    if (build_.outcome == Build::Outcome::kInterrupted) throw JudgeInterrupted();
    build_.messages = without_folder(std::move(build_.messages), folder_.path());
  }

  const Build& build() const { return build_; }

  TestRun run(uint64_t seed, double seconds) const {
    const TemporaryFolder folder;
    CompanionSources data;
    data.files = program_.data;
    lay_companions(data, folder.path());
    const std::string token = fresh_token();
    write_file_atomic(folder / kToken, token);
    RunOptions options;
    options.folder = folder.path();
    options.limits = settings_.run_limits;
    options.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    options.arguments = task_.tests.arguments;
    std::replace(options.arguments.begin(), options.arguments.end(), std::string(kSeedMark),
                 std::to_string(seed));
    TestRun result;
    result.run = executor_.run(build_, options);
    if (result.run.outcome == Run::Outcome::kInterrupted) throw JudgeInterrupted();
    judge(folder.path(), token, result);
    result.explanation = without_folder(std::move(result.explanation), folder_.path());
    return result;
  }

 private:
  void judge(const fs::path& folder, const std::string& token, TestRun& result) const {
    const OutputFile left = read_output(folder, kPassed, token.size());
    const bool passed = left.state == OutputFile::State::kWhole && left.bytes.size() == token.size() &&
                        std::memcmp(left.bytes.data(), token.data(), token.size()) == 0;
    if (result.run.outcome != Run::Outcome::kDone || !passed) return explain(result);
    if (result.run.process.output.find(task_.tests.expected_output) == std::string::npos) {
      result.word = Word::kWrongOutput;
      result.explanation = fmt::format("its tests did not print {}", in_quotes(task_.tests.expected_output));
    }
  }

  Executor& executor_;
  const JudgeSettings& settings_;
  const Task& task_;
  TestProgram program_;
  TemporaryFolder folder_;  // holds the source
  Build build_;
};

// One answer on its way through the rules; each step returns false where the verdict is spoken.
class TestJudgement {
 public:
  TestJudgement(Executor& executor, const JudgeSettings& settings, const Task& task, const std::string& code)
      : executor_(executor), settings_(settings), task_(task), code_(compilable(task, code)) {
    verdict_.task = task.id;
    verdict_.family = task.family;
    verdict_.word = Word::kCorrect;
    verdict_.executor = executor.name();
    verdict_.seed = settings.seed;
    verdict_.code_hash = sha256(code);
  }

  Verdict judge() {
    const auto start = std::chrono::steady_clock::now();
    if (can_be_judged() && read_code() && compile() && run_trials()) prove_work();
    verdict_.seconds = seconds_since(start);
    return std::move(verdict_);
  }

 private:
  bool can_be_judged() {
    if (!task_.fault.empty()) return speak(Word::kFaultyTask, task_.fault);
    if (executor_.name() != "cpu") return true;
    for (const std::string& flag : task_.tests.nvcc_flags) {
      if (flag == "-Xcompiler=-fopenmp") return speak(Word::kUnsupported, "OpenMP in the tests");
    }
    const std::vector<std::string> own = own_kernels(code_);
    for (const auto& [path, text] : task_.tests.files) {
      for (const std::string& kernel :
           path == task_.tests.answer_file ? std::vector<std::string>() : own_kernels(text)) {
        // The emulator finds kernels by name, and a name once.
        if (std::find(own.begin(), own.end(), kernel) != own.end())
          return speak(Word::kUnsupported,
                       fmt::format("the answer and {} both define a kernel {}", path, kernel));
      }
    }
    return true;
  }

  bool read_code() {
    if (code_.find_first_not_of(" \t\r\n") == std::string::npos)
      return speak(Word::kNoCode, "the answer holds no code");
    if (const auto finding = lint(code_)) {
      const Word word = finding->weight == LintFinding::Weight::kHack ? Word::kHack : Word::kRejected;
      return speak(word, fmt::format("answer.cu:{}: {}", finding->line, finding->text));
    }
    program_ = make_test_program(task_, code_, settings_.seed);
    if (!program_.hack.empty()) return speak(Word::kHack, program_.hack);
    return program_.lacks.empty() || speak(Word::kWrongOutput, program_.lacks);
  }

  bool compile() {
    built_.emplace(executor_, settings_, task_, program_);
    const Build& build = built_->build();
    verdict_.build_seconds = build.seconds;
    verdict_.compiler = build.compiler;
    verdict_.reward.compiled = build.done() ? 1 : 0;
    if (build.done()) return true;
    verdict_.compiler_messages = build.messages.substr(0, kKeptMessages);
    return speak(word_of(build.outcome), first_error(build.messages));
  }

  // Tests without a seed do the same every time.
  int trials() const {
    const auto& arguments = task_.tests.arguments;
    return std::find(arguments.begin(), arguments.end(), kSeedMark) == arguments.end() ? 1 : settings_.trials;
  }

  bool run_trials() {
    RandomStream seeds(settings_.seed, task_.id + " seeds of tests");
    double right = 0;
    for (int i = 0; i < trials() && verdict_.word == Word::kCorrect; ++i) {
      const TestRun run = built_->run(seeds.next_u32() >> 1, task_.time_limit);
      Trial trial;
      trial.word = run.word;
      trial.explanation = run.explanation;
      trial.seconds = run.run.process.wall_seconds;
      verdict_.kernels = names_of(run.run.kernels);
      const bool own_kernel = own_launches(run.run, own_kernels(code_)) > 0;
      if (run.word == Word::kCorrect && task_.needs_kernel && !own_kernel) {
        trial.word = Word::kNoKernel;
        trial.explanation = "no kernel of the answer's own was launched";
      }
      trial.fraction_right = trial.word == Word::kCorrect ? 1 : 0;
      right += trial.fraction_right;
      verdict_.reward.launched = own_kernel || (!task_.needs_kernel && run.word == Word::kCorrect) ? 1 : 0;
      verdict_.trials.push_back(trial);
      if (trial.word != Word::kCorrect) speak(trial.word, trial.explanation);
    }
    verdict_.reward.fraction_right = right / trials();
    return verdict_.word == Word::kCorrect;
  }

  // Tests that pass with kernels that do nothing were passed by something else.
  void prove_work() {
    if (!task_.needs_kernel) return;
    const std::optional<std::string> idle = without_kernels(code_);
    if (!idle) return;
    const BuiltTests tests(executor_, settings_, task_, make_test_program(task_, *idle, settings_.seed));
    if (!tests.build().done()) return;
    const double seconds = std::min(task_.time_limit, 5 + 2 * verdict_.trials[0].seconds);
    if (tests.run(1, seconds).word != Word::kCorrect) return;
    verdict_.reward.launched = 0;
    verdict_.reward.fraction_right = 0;
    speak(Word::kNoKernel, "its tests pass even when its kernels do nothing");
  }

  bool speak(Word word, std::string explanation) {
    verdict_.word = word;
    verdict_.explanation = std::move(explanation);
    return false;
  }

  Executor& executor_;
  const JudgeSettings& settings_;
  const Task& task_;
  const std::string code_;
  Verdict verdict_;
  TestProgram program_;
  std::optional<BuiltTests> built_;
};

}  // namespace

Verdict judge_tests(Executor& executor, const JudgeSettings& settings, const Task& task,
                    const std::string& code) {
  return TestJudgement(executor, settings, task, code).judge();
}

}  // namespace cuset
