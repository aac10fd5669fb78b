// The rules that an answer has to pass (docs/verdicts.md), in their order. Every kind of answer takes the same
// steps; what differs is how it is compiled, run and timed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "execute/executor.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

class Rules {
 public:
  virtual ~Rules() = default;
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  // Takes the steps until one decides; an answer that passes all of them is correct. Throws Error where the
  // machine fails, and JudgeInterrupted.
  Verdict judge();

 protected:
  // `task` must outlive the rules. `code` is the program as it was found in the answer.
  Rules(const tasks::Task& task, const std::string& code);

  // The steps. Each returns false once the verdict is final.
  virtual bool check_answer() = 0;  // whether it can be judged, as far as its text says
  virtual bool compile() { return true; }
  virtual bool obtain_expected() { return true; }  // what the trials must give
  virtual bool run_trials() = 0;
  virtual bool pass_checks() { return true; }  // of the emulator; only of answers that are correct so far
  virtual bool prove_work() = 0;               // only where the task needs a kernel
  virtual bool is_within_budget() { return true; }  // of the time that all runs may take
  virtual void time() {}                            // only of correct answers

  // What the steps share. Each returns whether the verdict is still open.
  bool decide(Outcome outcome, std::string explanation);  // always false
  bool has_sound_task();
  bool has_code(std::string_view code);
  bool pass_lint(const std::string& code);
  bool take_build(const execute::Build& build);
  void add_build_time(const execute::Build& build);  // to verdict_.build_seconds
  // What the linked program takes from the system's libraries, whatever macros made of the names. With
  // `has_static_runtime` the CUDA runtime is part of it and takes some for itself.
  bool pass_imports(const execute::Build& build, bool has_static_runtime);
  bool take_expected(Outcome outcome, const std::string& explanation);
  // The first of verdict_.trials that is not correct decides; the reward is for `wanted` trials.
  bool conclude_trials(size_t wanted);
  // Rule 6: the first of verdict_.findings that the program has to answer for decides.
  bool conclude_findings();
  // Wrong outputs: names it behind them, since it may well be the cause.
  void explain_by_findings();
  std::string first_finding() const;  // that the program has to answer for; empty where there is none
  // The same, of an answer that is right on an executor without checks: `checked` is the verdict of the one that has them.
  // What else it says is the emulator's affair.
  bool take_checks(const Verdict& checked, bool lenient);
  // Rule 7: `passes`, as "its outputs are right", although its kernels did nothing.
  bool refuse_unproven_work(std::string_view passes);
  // `hack` says why the time cannot be honest; empty: it can.
  bool take_timing(const std::optional<Timing>& timing, const std::string& hack);

  const tasks::Task& task_;
  Verdict verdict_;  // kCorrect until a step decides otherwise
};

// "reduce" of "void (anonymous namespace)::reduce<float, 256>(float const*, int)".
std::string unqualified_name(std::string_view kernel);

// Whether one of its namespaces is a library's: "cub::DeviceReduceKernel<...>".
bool is_in_library(std::string_view kernel);
// The same, or its name begins as those of a library do: "cudnn_...".
bool is_of_library(std::string_view kernel);
// Whether it is one of the kernels `own`, by their unqualified names, that an answer defines.
bool is_own(const execute::KernelLaunches& kernel, const std::vector<std::string>& own);

// One each, in the order of their first launch.
std::vector<std::string> names_of(const std::vector<execute::KernelLaunches>& kernels);

// Why an answer is not checked where there is no executor to check it with, or none is asked for.
std::string why_unchecked(const JudgeSettings& settings);

uint64_t launches_without_failure(const execute::KernelLaunches& kernel);
// How often kernels of `own` were launched without failing.
uint64_t own_launches(const execute::Run& run, const std::vector<std::string>& own);

}  // namespace cuset::judge
