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
  made.reward.value = reward;
  made.reward.correct = outcome == judge::Outcome::kCorrect ? 1 : 0;
  return made;
}

TEST(StepReport, HasTrlsFigures) {
  using judge::Outcome;
  const std::vector<Rollout> rollouts = {
      rollout(Outcome::kCorrect, 1, 10),
      rollout(Outcome::kCompileError, 0, 30, generate::Finish::kLength),
      rollout(Outcome::kHack, 0, 20),
      rollout(Outcome::kWrongOutput, 0, 40),
      rollout(Outcome::kUnsupported, std::numeric_limits<double>::quiet_NaN(), 50),
      rollout(Outcome::kCorrect, 1, 60)};
  const base::Json found = describe_rollouts(rollouts, 2);
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

}  // namespace
}  // namespace cuset::reinforce
