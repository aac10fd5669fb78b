#include "reinforce/step_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cuset::reinforce {
namespace {

Rollout rollout(judge::Outcome outcome, double reward, int64_t tokens,
                generate::Finish finish = generate::Finish::kStop) {
  Rollout made;
  made.answer = generate::GeneratedAnswer{.tokens = tokens, .finish = finish};
  made.verdict = judge::Verdict{};
  made.verdict->outcome = outcome;
  made.reward.value = made.turn_return = reward;
  made.reward.correct = outcome == judge::Outcome::kCorrect ? 1 : 0;
  return made;
}

TEST(StepReport, HasTrlsFigures) {
  using judge::Outcome;
  std::vector<Rollout> rollouts = {
      rollout(Outcome::kCorrect, 1, 10),
      rollout(Outcome::kCompileError, 0, 30, generate::Finish::kLength),
      rollout(Outcome::kHack, 0, 20),
      rollout(Outcome::kWrongOutput, 0, 40),
      rollout(Outcome::kUnsupported, std::numeric_limits<double>::quiet_NaN(), 50),
      rollout(Outcome::kCorrect, 1, 60)};
  for (uint32_t i = 0; i < 6; ++i) {
    rollouts[i].draw = i / 2;
    rollouts[i].sample = i % 2;
  }
  const base::Json found = describe_rollouts(rollouts);
  EXPECT_DOUBLE_EQ(found["reward"], 0.4);
  EXPECT_DOUBLE_EQ(found["reward_std"], std::sqrt(0.5) / 3);
  EXPECT_DOUBLE_EQ(found["frac_reward_zero_std"], 2 / 3.0);
  EXPECT_DOUBLE_EQ(found["pass_rate"], 0.4);
  EXPECT_DOUBLE_EQ(found["compile_rate"], 0.8);
  EXPECT_DOUBLE_EQ(found["hack_rate"], 0.2);
  EXPECT_EQ(found["without_verdict"], 1);
  EXPECT_DOUBLE_EQ(found["rewards/correct/mean"], 2 / 6.0);
  EXPECT_FALSE(found.contains("rewards/speedup/mean"));
  EXPECT_DOUBLE_EQ(found["completions/mean_length"], 35);
  EXPECT_EQ(found["completions/min_length"], 10);
  EXPECT_EQ(found["completions/max_length"], 60);
  EXPECT_DOUBLE_EQ(found["completions/clipped_ratio"], 1 / 6.0);
  EXPECT_DOUBLE_EQ(found["completions/mean_terminated_length"], 36);
}

TEST(StepReport, CountsConversationsTurnByTurn) {
  using judge::Outcome;
  const auto turn = [](uint32_t sample, uint32_t number, Outcome outcome, double reward) {
    Rollout made = rollout(outcome, reward, 10);
    made.sample = sample;
    made.turn = number;
    return made;
  };
  const std::vector<Rollout> rollouts = {turn(0, 1, Outcome::kCompileError, 0),
                                         turn(0, 2, Outcome::kCorrect, 1),
                                         turn(1, 1, Outcome::kCorrect, 1),
                                         turn(2, 1, Outcome::kWrongOutput, 0.5),
                                         turn(2, 2, Outcome::kUnsupported, std::nan("")),
                                         turn(3, 1, Outcome::kWrongOutput, 0.5),
                                         turn(3, 2, Outcome::kWrongOutput, 0.5)};
  EXPECT_DOUBLE_EQ(describe_rollouts(rollouts)["pass_rate"], 2 / 3.0) << "one has no verdict in the end";
  const base::Json found = describe_turns(rollouts, 3);
  EXPECT_EQ(found["turns/1/answers"], 4);
  EXPECT_DOUBLE_EQ(found["turns/1/reward"], 0.5);
  EXPECT_DOUBLE_EQ(found["turns/1/pass_rate"], 0.25);
  EXPECT_EQ(found["turns/2/answers"], 3);
  EXPECT_DOUBLE_EQ(found["turns/2/reward"], 0.75);
  EXPECT_DOUBLE_EQ(found["turns/2/pass_rate"], 2 / 3.0);
  EXPECT_EQ(found["turns/3/answers"], 0);
  EXPECT_FALSE(found.contains("turns/3/reward"));
  EXPECT_DOUBLE_EQ(found["turns/3/pass_rate"], 2 / 3.0);
}

}  // namespace
}  // namespace cuset::reinforce
