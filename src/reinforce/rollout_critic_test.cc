#include "reinforce/rollout_critic.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"

namespace cuset::reinforce {
namespace {

using judge::Outcome;

class RolloutCriticTest : public testing::Test {
 protected:
  RolloutCriticTest() {
    task_.id = "add";
    task_.prompts = {{"1", "Add two vectors."}};
    prompt_.task = &task_;
    prompt_.level = "1";
  }

  Rollout rollout(uint64_t draw, Outcome outcome, const std::string& text) const {
    Rollout made{.draw = draw, .prompt = &prompt_};
    made.answer = generate::GeneratedAnswer{.text = text};
    made.verdict = judge::Verdict{};
    made.verdict->outcome = outcome;
    return made;
  }

  // A command that gives every answer 0.5, and fails where the code says so.
  CriticSettings command() const {
    CriticSettings settings;
    settings.kind = CriticKind::kCommand;
    settings.command =
        "read question; case \"$question\" in *unreadable*) exit 1;; esac; "
        "echo '{\"correctness\": 0.5, \"compilability\": 0.5, \"speed\": 0.5}'";
    settings.weight = 2;
    settings.retries = 0;
    return settings;
  }

  base::TemporaryFolder folder_;
  tasks::Task task_;
  TaskPrompt prompt_;
};

const std::string kKernel = "__global__ void add(float* x) { x[threadIdx.x] += 1; }\n";

TEST_F(RolloutCriticTest, RulesScoreWithoutAsking) {
  CriticSettings settings;
  settings.kind = CriticKind::kRules;
  settings.weight = 2;
  RolloutCritic critic(settings, folder_.path());
  const std::vector<Rollout> rollouts = {
      rollout(1, Outcome::kCompileError, kKernel), rollout(1, Outcome::kCorrect, kKernel),
      rollout(1, Outcome::kNoCode, "No."), rollout(1, Outcome::kHack, kKernel)};
  EXPECT_EQ(critic.parts(rollouts), (std::vector<double>{2 * 0.6, 2, 0, 0}))
      << "kernel, indexing and barrier hold; launch and guard do not";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "critic.jsonl"));
}

TEST_F(RolloutCriticTest, AGroupWithAMissingScoreGoesWithout) {
  RolloutCritic critic(command(), folder_.path());
  const std::vector<Rollout> rollouts = {rollout(1, Outcome::kCompileError, kKernel + "// a"),
                                         rollout(1, Outcome::kWrongOutput, kKernel + "// unreadable"),
                                         rollout(2, Outcome::kCompileError, kKernel + "// b"),
                                         rollout(2, Outcome::kWrongOutput, kKernel + "// b"),
                                         rollout(2, Outcome::kNoCode, "No."),
                                         rollout(2, Outcome::kUnsupported, kKernel + "// unreadable"),
                                         rollout(2, Outcome::kHack, kKernel + "// unreadable")};
  EXPECT_EQ(critic.parts(rollouts), (std::vector<double>{0, 0, 1, 1, 0, 0, 0}));
  const CriticReport report = critic.take_report();
  base::Json metrics;
  report.write_metrics(metrics);
  EXPECT_EQ(metrics["critic/failures"], 1);
  EXPECT_EQ(metrics["critic/groups_without"], 1);
  EXPECT_EQ(metrics["critic/cache_hits"], 1);
  EXPECT_DOUBLE_EQ(metrics["critic/score_mean"], 1.5 / 4) << "three times 0.5, and 0 for no code";
  EXPECT_EQ(report.text(),
            "1 of 5 answers have no score of the critic (exit_1: \"\"), and 1 group goes without its part");
  EXPECT_EQ(critic.take_report().scored, 0);
}

}  // namespace
}  // namespace cuset::reinforce
