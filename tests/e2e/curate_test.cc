// cuset curate as a user runs it: the example, mistakes in a plan, and runs killed at many moments.
#include <gtest/gtest.h>

#include <csignal>
#include <map>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "e2e/program.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

class Curate : public testing::Test {
 protected:
  std::string plan(const std::string& text) const {
    base::write_file_atomic(folder_ / "plan.yaml", text);
    return (folder_ / "plan.yaml").string();
  }
  std::string output(const char* name = "out") const { return (folder_ / name).string(); }

  // Everything that a run leaves but the folder of its stages.
  std::map<std::string, std::string> results(const char* name = "out") const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_ / name))
      if (entry.is_regular_file()) files[entry.path().filename().string()] = base::read_file(entry.path());
    return files;
  }

  base::TemporaryFolder folder_;
};

TEST_F(Curate, ExampleMakesDataThatTrainReads) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const sandbox::ProcessResult result =
      run_cuset({"curate", "examples/curate/plan.yaml", "--output", output()});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "rows to train on")) << result.output;
  const sandbox::ProcessResult read =
      run_cuset({"inspect", "--model", "assets/model", "--data", output() + "/train.jsonl"});
  EXPECT_EQ(read.exit_status, 0) << read.output;
}

TEST_F(Curate, MistakesInThePlanAreNamedWithTheirLine) {
  const std::string file =
      plan("sources:\n  a: {file: examples/verify/answers.jsonl}\nverify: {trails: 3}\n");
  const sandbox::ProcessResult result = run_cuset({"curate", file, "--output", output()});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_TRUE(has(result.output, "plan.yaml:3")) << result.output;
  EXPECT_TRUE(has(result.output, "trials")) << result.output;
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(Curate, KilledAtAnyMomentItLosesAndDoublesNothing) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const std::string file = plan(
      "sources:\n"
      "  answers: {tasks: examples/verify/tasks.jsonl, answers: examples/verify/answers.jsonl}\n"
      "  code: {folder: examples}\n"
      "verify: {executor: cpu, trials: 2, seed: 1, workers: 1, unverified: true}\n");
  ASSERT_EQ(run_cuset({"curate", file, "--output", output("whole")}).exit_status, 0);
  // Killed as soon as each stage has left its file; verify leaves a verdict at a time.
  const fs::path stages = fs::path(output()) / "stages";
  for (const char* name : {"rows.jsonl", "normalize.jsonl", "exact.jsonl", "screen.jsonl", "verify.jsonl",
                           "near.jsonl", "select.jsonl", "../train.jsonl", "../card.md"}) {
    StartedProgram started({"curate", file, "--output", output()}, folder_ / "log");
    EXPECT_TRUE(started.wait_for(stages / name)) << name << started.output();
    started.signal(SIGKILL);
    started.wait();
  }
  const sandbox::ProcessResult last = run_cuset({"curate", file, "--output", output()});
  ASSERT_EQ(last.exit_status, 0) << last.output;
  EXPECT_EQ(results(), results("whole"));
}

}  // namespace
}  // namespace cuset::tests
