// cuset demo as a user runs it, with the built-in model and next to no data: interrupted, continued,
// complete.
#include <gtest/gtest.h>

#include <csignal>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "e2e/program.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> small_demo(const fs::path& folder) {
  return {"demo",      "--output", folder.string(), "--data", "10", "--tasks", "1",
          "--samples", "1",        "--executor",    "cpu"};
}

TEST(Demo, GoesOnWhereItWasInterruptedAndEndsWithAReport) {
  if (!fs::exists("assets/model/model.safetensors")) GTEST_SKIP() << "skipped: assets/model is absent";
  if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  const base::TemporaryFolder folder;
  fs::path run;
  // Before the first step, between steps, and while one begins.
  for (const auto& [name, moment] :
       {std::pair{"first", "run.json"}, {"between", "tasks.jsonl"}, {"beginning", "sft/run.json"}}) {
    run = folder / name;
    StartedProgram begun(small_demo(run), folder / "first.txt");
    ASSERT_TRUE(begun.wait_for(run / moment)) << begun.output();
    begun.signal(SIGINT);
    EXPECT_EQ(begun.wait(), 128 + SIGINT) << begun.output();
    EXPECT_TRUE(has(begun.output(), "the demo stopped here; the same command resumes it")) << begun.output();
  }
  EXPECT_FALSE(fs::exists(run / "report.html"));

  StartedProgram continued(small_demo(run), folder / "second.txt");
  EXPECT_EQ(continued.wait(), 0) << continued.output();
  EXPECT_TRUE(has(continued.output(), "done before")) << continued.output();
  EXPECT_TRUE(has(continued.output(), "$ cuset evaluate")) << continued.output();
  EXPECT_TRUE(has(continued.output(), "cuset against sft")) << continued.output();
  EXPECT_TRUE(has(base::read_file(run / "report.html"), "Teaching a small model to write CUDA"));
  for (const char* method : {"base", "sft", "cuset"}) {
    base::JsonlReader verdicts(run / "answers" / method / "verdicts.jsonl");
    EXPECT_TRUE(verdicts.next()) << method;
  }
}

TEST(Demo, RefusesAFolderOfOtherSettings) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "run.json", R"({"data": 5})");
  const sandbox::ProcessResult refused = run_cuset(small_demo(folder.path()));
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_TRUE(has(refused.output, "holds the demo's results of another run")) << refused.output;
}

TEST(Demo, RefusesNoTasks) {
  const base::TemporaryFolder folder;
  const sandbox::ProcessResult refused =
      run_cuset({"demo", "--output", (folder / "d").string(), "--tasks", "0"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_FALSE(fs::exists(folder / "d"));
}

}  // namespace
}  // namespace cuset::tests
