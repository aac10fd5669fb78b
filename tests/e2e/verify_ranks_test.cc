// cuset verify as several ranks, started as torchrun starts them, one of which is killed while it judges; and its
// messages over pipes. Skipped where the CPU executor cannot work.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>

#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "e2e/program.h"
#include "e2e/started_program.h"
#include "support/free_port.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

// A verdict without the times that it took.
base::Json without_times(base::Json value) {
  if (value.is_object()) {
    for (const char* key : {"seconds", "build_seconds", "step_seconds"}) value.erase(key);
  }
  if (value.is_structured()) {
    for (base::Json& part : value) part = without_times(std::move(part));
  }
  return value;
}

// By name; a verdict that is there twice fails the test.
std::map<std::string, base::Json> verdicts_in(const fs::path& folder) {
  std::map<std::string, base::Json> verdicts;
  base::JsonlReader reader(folder / "verdicts.jsonl");
  while (const std::optional<base::Json> verdict = reader.next()) {
    const std::string name =
        fmt::format("{}#{}", (*verdict)["task"].get<std::string>(), (*verdict)["sample"].get<int>());
    EXPECT_TRUE(verdicts.emplace(name, without_times(*verdict)).second) << name << " was judged twice";
  }
  return verdicts;
}

// How many processes it has started that run: compilers, answers.
int children_of(pid_t pid) {
  int count = 0;
  std::error_code gone;
  for (const fs::directory_entry& thread : fs::directory_iterator(fmt::format("/proc/{}/task", pid), gone)) {
    std::ifstream children(thread.path() / "children");
    for (std::string child; children >> child;) ++count;
  }
  return count;
}

class VerifyRanks : public testing::Test {
 protected:
  static void SetUpTestSuite() { missing_ = lack_of_cpu_executor(); }
  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }

  static std::vector<std::string> command(const fs::path& output, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"verify",
                                      "--tasks",
                                      "examples/verify/tasks.jsonl",
                                      "--answers",
                                      "examples/verify/answers.jsonl",
                                      "--output",
                                      output.string(),
                                      "--executor",
                                      "cpu",
                                      "--trials",
                                      "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::unique_ptr<StartedProgram> start(int rank, int size, const std::vector<std::string>& more) const {
    return std::make_unique<StartedProgram>(
        command(results_, more), log_of(rank),
        std::vector<std::string>{fmt::format("RANK={}", rank), fmt::format("WORLD_SIZE={}", size),
                                 "MASTER_ADDR=127.0.0.1", fmt::format("MASTER_PORT={}", port_)});
  }

  fs::path log_of(int rank) const { return folder_ / fmt::format("rank{}.log", rank); }

  static inline std::string missing_;
  base::TemporaryFolder folder_;
  const fs::path results_ = folder_ / "results";
  const int port_ = support::free_port();
};

TEST_F(VerifyRanks, WhatAKilledRankHeldIsJudgedByTheOthers) {
  const std::vector<std::string> flags = {"--workers", "1", "--seed", "3"};
  const auto first = start(0, 3, flags);
  const auto second = start(1, 3, {"--workers", "4", "--seed", "3"});
  const auto third = start(2, 3, flags);
  // Two at a time are started for answers only.
  while (second->is_running() && children_of(second->pid()) < 2) usleep(1000);
  second->signal(SIGKILL);
  second->wait();
  EXPECT_EQ(first->wait(), 0) << first->output();
  EXPECT_EQ(third->wait(), 0) << third->output();
  EXPECT_TRUE(has(first->output(), "rank 1 is gone: it gave no sign of life")) << first->output();
  EXPECT_TRUE(has(first->output(), "9 answers to 3 tasks\n")) << first->output();

  const fs::path alone = folder_ / "alone";
  const sandbox::ProcessResult result = run_cuset(command(alone, {"--seed", "3"}));
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_EQ(verdicts_in(results_), verdicts_in(alone));
}

TEST_F(VerifyRanks, ARankWithOtherSettingsIsToldSo) {
  const auto first = start(0, 2, {"--seed", "3"});
  const auto second = start(1, 2, {"--seed", "3", "--lenient"});
  EXPECT_EQ(second->wait(), 1);
  EXPECT_TRUE(has(second->output(), "rank 1 has lenient = \"true\", the owner of the results has \"false\""))
      << second->output();
  EXPECT_EQ(first->wait(), 0) << "the others do the work: " << first->output();
}

TEST_F(VerifyRanks, AuditIsNotShared) {
  StartedProgram audit({"verify", "--tasks", "examples/verify/tasks.jsonl", "--audit"}, log_of(0),
                       {"RANK=0", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=1"});
  EXPECT_EQ(audit.wait(), 2);
  EXPECT_TRUE(has(audit.output(),
                  "--audit is not shared among ranks, and 2 ranks were started (start it without torchrun)"))
      << audit.output();
}

}  // namespace
}  // namespace cuset::tests
