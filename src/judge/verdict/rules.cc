#include "judge/verdict/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/files/sha256.h"
#include "base/seconds_since.h"
#include "execute/build/emulator_messages.h"
#include "execute/objects/imported_functions.h"
#include "judge/lint/lint.h"
#include "judge/lint/lint_names.h"

namespace cuset::judge {
namespace {

constexpr size_t kLargestSource = 1 << 20;
constexpr std::string_view kStartOfPrograms = "__libc_start_main";  // every program takes it
// Notes and what ends a program by itself are not; that threads return before a barrier works on every GPU since
// Volta ("will not succeed until reached by all non-exited threads").
bool is_undefined_behavior(const execute::RunFinding& finding) {
  for (const char* kind : {"note", "unsupported", "device_fault", "unrecorded", "early_return"})
    if (finding.kind == kind) return false;
  return true;
}

constexpr std::string_view kLibraryNamespaces[] = {
    "at::",      "at_cuda_detail::", "c10::",      "torch::",      "cub::",           "thrust::",
    "cutlass::", "cute::",           "cuda::",     "flash::",      "pytorch_flash::", "cublas::",
    "cufft::",   "cusparse::",       "cusolver::", "curand_host::"};
// What names of libraries' kernels begin with otherwise; those of torch.compile too.
constexpr std::string_view kLibraryNames[] = {"cudnn",       "cublas",      "cutlass_",
                                              "triton_poi_", "triton_red_", "triton_per_",
                                              "triton_tem_", "triton_for_", "triton_mm"};

// Everything outside of brackets: template arguments, parameters and "(anonymous namespace)" go.
std::string outside_brackets(std::string_view text) {
  std::string outside;
  int depth = 0;
  for (const char letter : text) {
    if (letter == '<' || letter == '(') ++depth;
    if (depth == 0) outside += letter;
    if ((letter == '>' || letter == ')') && depth > 0) --depth;
  }
  return outside;
}

}  // namespace

Rules::Rules(const tasks::Task& task, const std::string& code) : task_(task) {
  verdict_.task = task.id;
  verdict_.family = task.family;
  verdict_.outcome = Outcome::kCorrect;
  verdict_.code_hash = base::sha256(code);
}

Verdict Rules::judge() {
  const auto start = std::chrono::steady_clock::now();
  const auto take = [this](const char* step, auto rule) {
    const auto began = std::chrono::steady_clock::now();
    const bool is_open = rule();
    verdict_.step_seconds[step] = base::seconds_since(began);
    return is_open;
  };
  if (check_answer() && take("compile", [this] { return compile(); }) &&
      take("expected", [this] { return obtain_expected(); })) {
    const bool is_correct = take("trials", [this] { return run_trials(); }) &&
                            take("checks", [this] { return pass_checks(); }) &&
                            (!task_.needs_kernel || take("proof", [this] { return prove_work(); }));
    if (is_correct && is_within_budget()) take("timing", [this] { return time(), true; });
  }
  verdict_.seconds = base::seconds_since(start);
  return std::move(verdict_);
}

bool Rules::decide(Outcome outcome, std::string explanation) {
  verdict_.outcome = outcome;
  verdict_.explanation = std::move(explanation);
  return false;
}

bool Rules::has_sound_task() { return task_.fault.empty() || decide(Outcome::kFaultyTask, task_.fault); }

bool Rules::has_code(std::string_view code) {
  return code.find_first_not_of(" \t\r\n") != code.npos ||
         decide(Outcome::kNoCode, "the answer holds no code");
}

bool Rules::pass_lint(const std::string& code) {
  if (code.size() > kLargestSource)
    return decide(Outcome::kRejected,
                  fmt::format("the source has {} bytes, more than {}", code.size(), kLargestSource));
  const auto finding = lint(code);
  if (!finding) return true;
  const Outcome outcome = finding->weight == LintFinding::Weight::kHack ? Outcome::kHack : Outcome::kRejected;
  return decide(outcome, fmt::format("answer.cu:{}: {}", finding->line, finding->text));
}

bool Rules::take_build(const execute::Build& build) {
  verdict_.compiler = build.compiler;
  verdict_.reward.compiled = build.done() ? 1 : 0;
  if (build.done()) return true;
  verdict_.compiler_messages = build.messages.substr(0, kKeptMessages);
  if (const std::optional<execute::Refusal> refusal = execute::refusal_in(build.messages))
    return decide(refusal->is_hack ? Outcome::kHack : Outcome::kRejected, refusal->text);
  if (build.outcome == execute::Build::Outcome::kUnsupported)
    return decide(Outcome::kUnsupported, execute::what_is_unsupported(build.messages));
  return decide(outcome_of(build.outcome), execute::first_error(build.messages));
}

void Rules::add_build_time(const execute::Build& build) {
  if (!build.cached) verdict_.build_seconds += build.seconds;
}

bool Rules::pass_imports(const execute::Build& build, bool has_static_runtime) {
  for (const std::string& name : execute::imported_functions(build.program)) {
    if (has_static_runtime && is_imported_by_runtime(name)) continue;
    const std::string_view reason = find_forbidden(name).reason;
    if (!reason.empty() && name != kStartOfPrograms)
      return decide(Outcome::kRejected, fmt::format("`{}` {}", name, reason));
  }
  return true;
}

bool Rules::take_expected(Outcome outcome, const std::string& explanation) {
  if (outcome == Outcome::kCorrect) return true;
  verdict_.reward = {};
  return decide(outcome, explanation);
}

bool Rules::conclude_trials(size_t wanted) {
  double right = 0;
  for (const Trial& trial : verdict_.trials) {
    right += trial.fraction_right;
    const bool is_first = verdict_.outcome == Outcome::kCorrect;
    if (trial.outcome != Outcome::kCorrect && is_first) decide(trial.outcome, trial.explanation);
  }
  verdict_.reward.fraction_right = right / static_cast<double>(wanted);
  return verdict_.outcome == Outcome::kCorrect;
}

std::string Rules::first_finding() const {
  const auto first = std::find_if(verdict_.findings.begin(), verdict_.findings.end(), is_undefined_behavior);
  if (first == verdict_.findings.end()) return "";
  const std::string place = first->line == 0 ? "" : fmt::format("answer.cu:{}: ", first->line);
  return fmt::format("{}{}: {}", place, first->kind, first->text);
}

bool Rules::conclude_findings() {
  const std::string finding = first_finding();
  if (finding.empty()) return true;
  verdict_.reward.fraction_right = 0;
  return decide(Outcome::kUndefinedBehavior, finding);
}

void Rules::explain_by_findings() {
  if (const std::string finding = first_finding(); !finding.empty()) verdict_.explanation += "; " + finding;
}

bool Rules::take_checks(const Verdict& checked, bool lenient) {
  verdict_.findings = checked.findings;
  verdict_.build_seconds += checked.build_seconds;
  verdict_.unchecked = checked.unchecked;
  const bool is_undefined = checked.outcome == Outcome::kUndefinedBehavior;
  if (!is_undefined && checked.outcome != Outcome::kCorrect && verdict_.unchecked.empty())
    verdict_.unchecked =
        fmt::format("on the CPU executor it is {}: {}", name_of(checked.outcome), checked.explanation);
  if (lenient) return true;
  if (!conclude_findings()) return false;
  if (!is_undefined) return true;
  verdict_.reward.fraction_right = 0;
  return decide(checked.outcome, checked.explanation);
}

bool Rules::refuse_unproven_work(std::string_view passes) {
  verdict_.reward.launched = 0;
  return decide(Outcome::kNoKernel, fmt::format("{} even when its kernels do nothing", passes));
}

bool Rules::take_timing(const std::optional<Timing>& timing, const std::string& hack) {
  verdict_.timing = timing;
  if (!hack.empty()) {
    verdict_.reward.fraction_right = 0;
    return decide(Outcome::kHack, hack);
  }
  if (timing) verdict_.reward.speedup = timing->speedup;
  return true;
}

std::string unqualified_name(std::string_view kernel) {
  std::string name = outside_brackets(kernel);
  const size_t end = name.find_last_not_of(' ');
  name.resize(end == std::string::npos ? 0 : end + 1);
  const size_t start = name.find_last_of(" :");
  return start == std::string::npos ? name : name.substr(start + 1);
}

bool is_in_library(std::string_view kernel) {
  const std::string name = outside_brackets(kernel);
  return std::any_of(std::begin(kLibraryNamespaces), std::end(kLibraryNamespaces),
                     [&](std::string_view library) {
                       const size_t at = name.find(library);
                       return at != name.npos && (at == 0 || name[at - 1] == ':' || name[at - 1] == ' ');
                     });
}

bool is_of_library(std::string_view kernel) {
  return is_in_library(kernel) ||
         std::any_of(std::begin(kLibraryNames), std::end(kLibraryNames),
                     [&](std::string_view start) { return kernel.starts_with(start); });
}

std::string why_unchecked(const JudgeSettings& settings) {
  return settings.check ? "the checks need the CPU executor, and so clang 19, which is not here"
                        : "the checks are turned off";
}

uint64_t launches_without_failure(const execute::KernelLaunches& kernel) {
  return kernel.launches - std::min(kernel.failed, kernel.launches);
}

bool is_own(const execute::KernelLaunches& kernel, const std::vector<std::string>& own) {
  return !is_in_library(kernel.name) &&
         std::find(own.begin(), own.end(), unqualified_name(kernel.name)) != own.end();
}

std::vector<std::string> names_of(const std::vector<execute::KernelLaunches>& kernels) {
  std::vector<std::string> names;
  for (const execute::KernelLaunches& kernel : kernels) {
    if (launches_without_failure(kernel) == 0) continue;
    std::string name = unqualified_name(kernel.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

uint64_t own_launches(const execute::Run& run, const std::vector<std::string>& own) {
  uint64_t launches = 0;
  for (const execute::KernelLaunches& kernel : run.kernels)
    if (is_own(kernel, own)) launches += launches_without_failure(kernel);
  return launches;
}

}  // namespace cuset::judge
