// cuset study as a user runs it: a small plan on the CPU, from data to tables, twice. Where the CPU executor
// cannot work, what needs it is skipped.
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

class Study : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("assets/model/model.safetensors")) GTEST_SKIP() << "skipped: assets/model is absent";
  }

  // Two cells whose answers are cut off after a few tokens.
  std::string write_plan(const std::string& train) const {
    const fs::path plan = folder_ / "plan.yaml";
    base::write_file_atomic(plan,
                            "question: does it run?\n"
                            "bases: {small: assets/model}\n"
                            "data: {clean: {count: 4}}\n"
                            "methods: {sft: {objective: sft}, cuset: {objective: cuset}}\n"
                            "train: {threads: 1, report_to: none, " +
                                train +
                                "}\n"
                                "tasks: {seen: {split: held_out, count: 2, seed: 100}}\n"
                                "decodings: {sampled: {temperature: 1, samples: 2}}\n"
                                "generate: {max_new_tokens: 5, threads: 1}\n"
                                "verify: {executor: cpu, trials: 1}\n"
                                "seeds: [1]\n");
    return plan.string();
  }

  std::string output() const { return (folder_ / "out").string(); }

  sandbox::ProcessResult study(const std::string& plan, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"study", plan, "--output", output()};
    words.insert(words.end(), more.begin(), more.end());
    return run_cuset(words);
  }

  std::map<std::string, std::string> tables() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "out/tables"))
      files[entry.path().filename().string()] = base::read_file(entry.path());
    return files;
  }

  base::TemporaryFolder folder_;
};

TEST_F(Study, SecondRunRedoesNothingAndWritesTheSameTables) {
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const std::string plan = write_plan("max_steps: 1");
  const sandbox::ProcessResult first = study(plan, {"--parallel", "2"});
  ASSERT_EQ(first.exit_status, 0) << first.output;
  // Data, tasks, two trainings, and answers and verdicts of the base and both cells.
  EXPECT_TRUE(has(first.output, "10 done, 0 done before, 0 failed, 0 not started")) << first.output;
  EXPECT_TRUE(has(first.output, "cuset - sft")) << first.output;
  const std::map<std::string, std::string> made = tables();
  for (const char* file : {"methods-sampled.txt", "methods-sampled.md", "methods-sampled.csv",
                           "methods-sampled.tex", "pairs-sampled.txt", "summary.json", "study.html"})
    EXPECT_TRUE(made.contains(file)) << file;

  const sandbox::ProcessResult second = study(plan);
  ASSERT_EQ(second.exit_status, 0) << second.output;
  EXPECT_TRUE(has(second.output, "0 done, 10 done before, 0 failed, 0 not started")) << second.output;
  EXPECT_EQ(tables(), made);

  const sandbox::ProcessResult dry = study(plan, {"--dry-run"});
  EXPECT_TRUE(has(dry.output, "small/cuset-clean-1  done       done       done")) << dry.output;
  EXPECT_TRUE(has(dry.output, "about 0 s left")) << dry.output;
}

TEST_F(Study, AFailedJobIsShownAndTheOthersGoOn) {
  const std::string plan = write_plan("max_steps: 1");
  base::write_file_atomic(folder_ / "plan.yaml", base::read_file(plan) + "compare: [[cuset, sft]]\n");
  const sandbox::ProcessResult data = study(plan, {"--parts", "data"});
  ASSERT_EQ(data.exit_status, 0) << data.output;
  // A plan whose method is refused only when it runs.
  std::string text = base::read_file(plan);
  text.replace(text.find("objective: cuset"), 16, "objective: cuset, tau: 7");
  base::write_file_atomic(folder_ / "plan.yaml", text);
  const sandbox::ProcessResult result = study(plan, {"--parts", "train"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_TRUE(has(result.output, "train small/cuset-clean-1: exit status 2; the end of ")) << result.output;
  EXPECT_TRUE(has(result.output, "tau")) << result.output;
  EXPECT_TRUE(has(result.output, "1 done, 0 done before, 1 failed, 0 not started")) << result.output;
  const sandbox::ProcessResult generation = study(plan, {"--parts", "generate", "--only", "cuset"});
  EXPECT_EQ(generation.exit_status, 1);
  EXPECT_TRUE(has(generation.output, "needs small/cuset-clean-1, which is not done")) << generation.output;
}

TEST_F(Study, CtrlCStopsAndTheSameCommandContinues) {
  const std::string plan = write_plan("max_steps: 25, logging_steps: 1, save_steps: 100");
  const std::vector<std::string> more = {"--parts", "data,train", "--only", "sft"};
  const fs::path cell = folder_ / "out/cells/small/sft-clean-1";
  {
    std::vector<std::string> words = {"study", plan, "--output", output()};
    words.insert(words.end(), more.begin(), more.end());
    StartedProgram program(words, folder_ / "log");
    ASSERT_TRUE(program.wait_for(cell / "metrics.jsonl")) << program.output();
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    EXPECT_TRUE(has(program.output(), "interrupted: the same command resumes later")) << program.output();
  }
  EXPECT_FALSE(fs::exists(cell / "adapter_model.safetensors"));
  EXPECT_TRUE(has(study(plan, {"--dry-run"}).output, "small/sft-clean-1    -  "));
  const sandbox::ProcessResult rest = study(plan, more);
  ASSERT_EQ(rest.exit_status, 0) << rest.output;
  EXPECT_TRUE(fs::exists(cell / "adapter_model.safetensors"));
  EXPECT_TRUE(has(base::read_file(cell / "train.log"), "resuming from "))
      << base::read_file(cell / "train.log");
}

TEST_F(Study, WrongPlansAreRefusedBeforeAnythingRuns) {
  const std::string plan = write_plan("max_steps: 1, learning_rat: 1");
  const sandbox::ProcessResult result = study(plan);
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.output,
            "cuset: " + plan + ":5: unknown key 'learning_rat'; did you mean 'learning_rate'?\n");
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_TRUE(
      has(study(write_plan("max_steps: few")).output, ":5: max_steps: \"few\" is not a whole number"));
  EXPECT_TRUE(has(study(write_plan("max_steps: 1"), {"--parts", "verfy"}).output, "did you mean 'verify'?"));
  EXPECT_TRUE(has(study(write_plan("max_steps: 1"), {"--only", "dft"}).output, "no cell fits"));
  EXPECT_TRUE(has(run_cuset({"study"}).output, "--plan is missing"));
}

}  // namespace
}  // namespace cuset::tests
