// cuset verify as a user runs it, over examples/verify: real compiler, real sandbox. Where the CPU executor
// cannot work, what needs it is skipped.
#include <gtest/gtest.h>

#include <set>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/json/jsonl.h"
#include "e2e/program.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTasks = "examples/verify/tasks.jsonl";
constexpr const char* kAnswers = "examples/verify/answers.jsonl";

// "saxpy_4k#0" of every line: a multiset would show what was judged twice.
std::multiset<std::string> judged_in(const fs::path& folder) {
  std::multiset<std::string> names;
  base::JsonlReader reader(folder / "verdicts.jsonl", {.torn_line = base::TornLine::kIgnore});
  while (const std::optional<base::Json> verdict = reader.next()) {
    names.insert(
        fmt::format("{}#{}", (*verdict)["task"].get<std::string>(), (*verdict)["sample"].get<int>()));
  }
  return names;
}

class Verify : public testing::Test {
 protected:
  static void SetUpTestSuite() { missing_ = lack_of_cpu_executor(); }

  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }

  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"verify",   "--tasks",         kTasks,       "--answers", kAnswers,
                                      "--output", results_.string(), "--executor", "cpu",       "--trials",
                                      "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  sandbox::ProcessResult verify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = command(more);
    words.insert(words.begin(), CUSET_PROGRAM);
    return sandbox::run_process(words, {.time_limit = kTooLong});
  }

  // The verdicts of the examples are those that they were written for.
  void expect_all_judged() const {
    EXPECT_EQ(judged_in(results_), all_);
    const base::Json summary = base::read_json_file(results_ / "summary.json");
    EXPECT_EQ(summary["words"].dump(),
              R"({"compile_error":1,"correct":3,"no_code":1,"no_kernel":1,"wrong_output":3})");
    EXPECT_NEAR(summary["function_pass"]["1"]["unbiased"]["value"].get<double>(), 1.0 / 3, 1e-12);
    EXPECT_EQ(summary["function_pass"]["3"]["first_k"], 1.0);
  }

  static inline std::string missing_;
  base::TemporaryFolder folder_;
  const fs::path results_ = folder_ / "results";
  const std::multiset<std::string> all_ = {"saxpy_4k#0",     "saxpy_4k#1",     "saxpy_4k#2",
                                           "histogram_16#0", "histogram_16#1", "histogram_16#2",
                                           "row_sums_64#0",  "row_sums_64#1",  "row_sums_64#2"};
};

TEST_F(Verify, CaseStudyOfThePaperIsDecidedByWhatIsReducedOver) {
  const sandbox::ProcessResult result =
      run_cuset({"verify", "--tasks", "examples/batch_norm/tasks.jsonl", "--answers",
                 "examples/batch_norm/answers", "--output", results_.string(), "--executor", "cpu"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json summary = base::read_json_file(results_ / "summary.json");
  EXPECT_EQ(summary["words"].dump(), R"({"correct":1,"wrong_output":1})") << result.output;
  EXPECT_TRUE(has(result.output, "batch_norm#0: matC_out[0] is")) << result.output;
}

TEST_F(Verify, RightWrongNotCompilingWithoutKernelWithoutCode) {
  const sandbox::ProcessResult result = verify({"--seed", "3"});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  expect_all_judged();
  EXPECT_TRUE(has(result.output, "9 answers to 3 tasks\n")) << result.output;
  EXPECT_TRUE(has(result.output, "no_kernel           1   11.1 %  histogram_16#1: ")) << result.output;
  EXPECT_TRUE(has(result.output, "no_code             1   11.1 %  row_sums_64#2: ")) << result.output;
  EXPECT_TRUE(has(result.output, "compile_error       1   11.1 %  saxpy_4k#2: ")) << result.output;
  EXPECT_TRUE(has(result.output, "results: " + results_.string() + "\n")) << result.output;
  EXPECT_EQ(base::read_json_file(results_ / "run.json")["seed"], 3);

  const sandbox::ProcessResult shown =
      run_cuset({"verify", "--output", results_.string(), "--show", "saxpy_4k#1"});
  EXPECT_EQ(shown.exit_status, 0) << shown.output;
  EXPECT_TRUE(has(shown.output, "saxpy_4k#1: wrong_output: out[4095] is ")) << shown.output;
  EXPECT_TRUE(has(shown.output, "asked (level 1): Write a CUDA program that reads data/x.bin"))
      << shown.output;
  EXPECT_TRUE(has(shown.output, "out: 1 of 4096 wrong; ")) << shown.output;
  const sandbox::ProcessResult broken =
      run_cuset({"verify", "--output", results_.string(), "--show", "saxpy_4k#2"});
  EXPECT_TRUE(has(broken.output, "the compiler says:\n")) << broken.output;
}

TEST_F(Verify, KilledItGoesOnWithoutDoubling) {
  {
    StartedProgram program(command({"--workers", "1"}), folder_ / "log");
    ASSERT_TRUE(program.wait_for(results_ / "verdicts.jsonl")) << program.output();
    program.signal(SIGKILL);
    program.wait();
  }
  const size_t before = judged_in(results_).size();
  EXPECT_GE(before, 1u);
  const base::Json seed = base::read_json_file(results_ / "run.json")["seed"];
  const sandbox::ProcessResult result = verify({"--json", "--quiet"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  expect_all_judged();
  EXPECT_EQ(base::parse_json(result.output.substr(result.output.find('{')), "summary")["seed"], seed)
      << "the run keeps its own seed";
  const std::string verdicts = base::read_file(results_ / "verdicts.jsonl");
  EXPECT_EQ(verify().exit_status, 0);
  EXPECT_EQ(base::read_file(results_ / "verdicts.jsonl"), verdicts) << "nothing was left to judge";
}

TEST_F(Verify, InterruptedItEndsInOrder) {
  StartedProgram program(command({"--workers", "1"}), folder_ / "log");
  ASSERT_TRUE(program.wait_for(results_ / "verdicts.jsonl")) << program.output();
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 130) << program.output();
  EXPECT_TRUE(has(program.output(), "interrupted: finishing the answers that are being judged"))
      << program.output();
  EXPECT_TRUE(fs::exists(results_ / "summary.json"));
}

TEST_F(Verify, AnotherPlanDoesNotMixWithOldVerdicts) {
  ASSERT_EQ(verify({"--seed", "3", "--only", "histogram_16"}).exit_status, 0);
  EXPECT_EQ(judged_in(results_).size(), 3u);
  const sandbox::ProcessResult other = verify({"--seed", "4", "--only", "histogram_16"});
  EXPECT_EQ(other.exit_status, 1);
  EXPECT_TRUE(
      has(other.output, "holds verdicts of another run: seed is 3 there, now 4 (choose another --output"))
      << other.output;
}

TEST_F(Verify, UnknownTasksOfAnswersAreNamedWithTheNearest) {
  base::write_file_atomic(folder_ / "answers.jsonl", "{\"task\": \"saxpy_4\", \"text\": \"\"}\n");
  const sandbox::ProcessResult result =
      run_cuset({"verify", "--tasks", kTasks, "--answers", (folder_ / "answers.jsonl").string(), "--output",
                 results_.string(), "--executor", "cpu"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_TRUE(has(result.output,
                  "answers.jsonl:1: an answer to the unknown task \"saxpy_4\"; did you mean 'saxpy_4k'?"))
      << result.output;
  EXPECT_FALSE(fs::exists(results_)) << "nothing was begun";
}

TEST(VerifyUsage, AnUnknownKeyOfATaskIsNamedWithTheNearest) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "tasks.jsonl", "{\"id\": \"a\", \"outpts\": []}\n");
  const sandbox::ProcessResult result =
      run_cuset({"verify", "--tasks", (folder / "tasks.jsonl").string(), "--answers", kAnswers});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_TRUE(has(result.output, "tasks.jsonl:1")) << result.output;
  EXPECT_TRUE(has(result.output, "did you mean 'outputs'?")) << result.output;
}

TEST(VerifyUsage, MistakesAreOneLine) {
  const struct {
    std::vector<std::string> arguments;
    int status;
    const char* message;
  } cases[] = {
      {{"--answers", kAnswers}, 2, "cuset: --tasks is missing: the tasks that were answered\n"},
      {{"--tasks", kTasks}, 2, "cuset: --answers is missing: the answers to judge\n"},
      {{"--tasks", kTasks, "--answers", kAnswers, "--trials", "0"},
       2,
       "cuset: trials is 0, but must be in 1 to 1000\n"},
      {{"--tasks", kTasks, "--answers", kAnswers, "--exekutor", "cpu"}, 2, "unknown flag '--exekutor'"},
      {{"--tasks", kAnswers, "--answers", kTasks},
       1,
       "answers.jsonl:1: these are answers, not tasks (swap --tasks and --answers)\n"},
      {{"--tasks", "no/such/file", "--answers", kAnswers}, 1, "no/such/file"},
      {{"--show", "x"}, 2, "cuset: --show needs --output: the folder of results"},
      {{"--tasks", kTasks, "--answers", kAnswers, "--audit"},
       2,
       "cuset: --audit judges the tasks, so --answers must be absent\n"},
  };
  for (const auto& wanted : cases) {
    std::vector<std::string> words = {"verify"};
    words.insert(words.end(), wanted.arguments.begin(), wanted.arguments.end());
    const sandbox::ProcessResult result = run_cuset(words);
    EXPECT_EQ(result.exit_status, wanted.status) << result.output;
    EXPECT_TRUE(has(result.output, wanted.message)) << result.output;
  }
}

}  // namespace
}  // namespace cuset::tests
