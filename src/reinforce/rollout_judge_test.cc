#include "reinforce/rollout_judge.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

#include "base/error.h"
#include "base/interrupt.h"
#include "support/test_executor.h"

namespace cuset::reinforce {
namespace {

// Counts the answers that reach it; nothing is compiled.
class CountingJudge : public judge::Judge {
 public:
  using Judge::Judge;
  std::atomic<int> judged = 0;

 protected:
  judge::Verdict judge_code(const tasks::Task&, const std::string& code) override {
    ++judged;
    if (code.find("fail") != std::string::npos) throw base::Error("the disk is full");
    judge::Verdict verdict;
    verdict.outcome =
        code.find("right") != std::string::npos ? judge::Outcome::kCorrect : judge::Outcome::kWrongOutput;
    return verdict;
  }
};

std::string answer_with(const std::string& name) {
  return "```cuda\n__global__ void " + name + "() {}\nint main() { " + name + "<<<1, 1>>>(); }\n```\n";
}

class RolloutJudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    made_ = tests::make_test_executor(false);
    if (!made_.executor) GTEST_SKIP() << "skipped: no executor here: " << made_.absent;
    judge_ = std::make_unique<CountingJudge>(*made_.executor, judge::JudgeSettings());
    task_.id = "task";
  }

  tests::TestExecutor made_;
  std::unique_ptr<CountingJudge> judge_;
  tasks::Task task_;
};

TEST_F(RolloutJudgeTest, EveryAnswerHasItsVerdictAndEqualOnesAreJudgedOnce) {
  std::vector<int> calls(30, 0);
  std::vector<judge::Outcome> outcomes(30);
  RolloutJudge queue(*judge_, 3, [&](size_t item, const judge::Verdict& verdict) {
    ++calls[item];
    outcomes[item] = verdict.outcome;
  });
  for (size_t i = 0; i < calls.size(); ++i) {
    queue.push(i, task_, answer_with(i % 3 == 0 ? "right" : "wrong" + std::to_string(i % 3)));
  }
  queue.finish();
  EXPECT_EQ(calls, std::vector<int>(30, 1));
  for (size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(outcomes[i] == judge::Outcome::kCorrect, i % 3 == 0) << i;
  EXPECT_EQ(judge_->judged, 3);
}

TEST_F(RolloutJudgeTest, FailureOfTheMachineReachesTheCaller) {
  RolloutJudge queue(*judge_, 2, [](size_t, const judge::Verdict&) {});
  queue.push(0, task_, answer_with("fail"));
  queue.push(1, task_, answer_with("right"));
  EXPECT_THROW(queue.finish(), base::Error);
}

TEST_F(RolloutJudgeTest, InterruptLeavesTheRestWithoutVerdicts) {
  const base::InterruptGuard guard;
  std::raise(SIGINT);
  int verdicts = 0;
  RolloutJudge queue(*judge_, 2, [&](size_t, const judge::Verdict&) { ++verdicts; });
  for (size_t i = 0; i < 10; ++i) queue.push(i, task_, answer_with("right"));
  queue.finish();
  EXPECT_EQ(verdicts, 0);
}

}  // namespace
}  // namespace cuset::reinforce
