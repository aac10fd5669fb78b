#include "judge/verdict/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cuset::judge {
namespace {

TEST(KernelNames, OnlyTheNameItselfIsLeft) {
  const std::pair<const char*, const char*> cases[] = {
      {"saxpy", "saxpy"},
      {"saxpy(int, float, float const*, float*)", "saxpy"},
      {"void reduce<float, 256>(float const*, int)", "reduce"},
      {"void (anonymous namespace)::reduce<float>(float const*)", "reduce"},
      {"void a::b::map<a::Add<int> >(int*)", "map"},
      {"void apply<void (*)(int)>(int)", "apply"},
      {"", ""},
      {"<<((", ""},
  };
  for (const auto& [kernel, name] : cases) EXPECT_EQ(unqualified_name(kernel), name) << kernel;
}

TEST(KernelNames, LibrariesAreKnownByTheirNamespaces) {
  for (const char* kernel :
       {"cub::DeviceReduceKernel<float>", "void thrust::cuda_cub::core::agent<int>(int*)",
        "mine::cub::detail::scan(int)", "at::native::copy", "cublas::gemm<float>", "cufft::pass<4>"})
    EXPECT_TRUE(is_in_library(kernel)) << kernel;
  for (const char* kernel :
       {"reduce<cub::Sum>", "club::dance(cub::Sum)", "subat::f", "cudnn_like", "f(at::Half)"})
    EXPECT_FALSE(is_in_library(kernel)) << kernel;
  EXPECT_TRUE(is_of_library("cudnn_like"));
  EXPECT_TRUE(is_own({.name = "mine::reduce<cub::Sum>"}, {"reduce"}));
  EXPECT_FALSE(is_own({.name = "cub::reduce"}, {"reduce"}));  // although the answer has one of that name
}

TEST(KernelNames, AFailedLaunchProvesNothing) {
  cuset::execute::Run run;
  run.kernels.push_back(
      {.name = "k(int)", .grid = {1, 1, 1}, .block = {1, 1, 1}, .launches = 2, .failed = 2});
  EXPECT_EQ(own_launches(run, {"k"}), 0u);
  EXPECT_TRUE(names_of(run.kernels).empty()) << "it did not run";
  run.kernels[0].launches = 3;
  EXPECT_EQ(own_launches(run, {"k"}), 1u);
  EXPECT_EQ(names_of(run.kernels), std::vector<std::string>{"k"});
  EXPECT_EQ(own_launches(run, {"other"}), 0u);
}

// Rules of which only rule 6 is taken, by the verdict of another executor.
class OnlyChecks : public Rules {
 public:
  OnlyChecks(const tasks::Task& task, const Verdict& checked, bool lenient)
      : Rules(task, "code"), checked_(checked), lenient_(lenient) {}

 private:
  bool check_answer() override { return true; }
  bool run_trials() override { return true; }
  bool pass_checks() override { return take_checks(checked_, lenient_); }
  bool prove_work() override { return true; }

  const Verdict checked_;
  const bool lenient_;
};

Verdict with_checks(Outcome outcome, std::vector<execute::RunFinding> findings, bool lenient = false) {
  Verdict checked;
  checked.outcome = outcome;
  checked.explanation = "why";
  checked.findings = std::move(findings);
  const tasks::Task task;
  return OnlyChecks(task, checked, lenient).judge();
}

TEST(Rules, ChecksOfAnotherExecutorDecideByWhatTheyFind) {
  execute::RunFinding race{}, note{};
  race.kind = "global_race";
  race.text = "two blocks";
  note.kind = "note";
  EXPECT_EQ(with_checks(Outcome::kCorrect, {note}).outcome, Outcome::kCorrect);
  EXPECT_EQ(with_checks(Outcome::kCorrect, {note}).unchecked, "");
  EXPECT_EQ(with_checks(Outcome::kUndefinedBehavior, {}).outcome, Outcome::kUndefinedBehavior);
  // A race counts, whatever became of the run.
  for (const Outcome outcome : {Outcome::kUndefinedBehavior, Outcome::kTimeout, Outcome::kCrash}) {
    EXPECT_EQ(with_checks(outcome, {race}).explanation, "global_race: two blocks");
    const Verdict lenient = with_checks(outcome, {race}, true);
    EXPECT_EQ(lenient.outcome, Outcome::kCorrect);
    EXPECT_EQ(lenient.findings.size(), 1u);
  }
}

TEST(Rules, WhatElseAnotherExecutorSaysIsWrittenDown) {
  for (const Outcome outcome : {Outcome::kUnsupported, Outcome::kTimeout, Outcome::kWrongOutput}) {
    const Verdict verdict = with_checks(outcome, {});
    EXPECT_EQ(verdict.outcome, Outcome::kCorrect);
    EXPECT_EQ(verdict.unchecked, fmt::format("on the CPU executor it is {}: why", name_of(outcome)));
  }
}

}  // namespace
}  // namespace cuset::judge
