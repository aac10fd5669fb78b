#include "reinforce/reward.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace cuset::reinforce {
namespace {

using judge::Outcome;

RewardSettings every_part() {
  RewardSettings settings;
  settings.compiled = 0.1;
  settings.correct = 1;
  settings.speedup = 10;
  settings.max_speedup = 3;
  settings.launched = 100;
  settings.fraction_right = 1000;
  settings.trials = 10000;
  return settings;
}

// A verdict that would have every part if its outcome allowed it.
judge::Verdict verdict_of(Outcome outcome) {
  judge::Verdict verdict;
  verdict.outcome = outcome;
  verdict.reward = {
      .compiled = judge::compiled(outcome) ? 1.0 : 0.0, .launched = 1, .fraction_right = 0.5, .speedup = 2};
  verdict.trials.resize(4);
  for (size_t i = 1; i < 4; ++i) verdict.trials[i].outcome = Outcome::kWrongOutput;
  return verdict;
}

double value_of(const RewardSettings& settings, const judge::Verdict& verdict) {
  return reward_of(settings, verdict, {}).value;
}

TEST(Reward, CompositePartsAreGatedByTheOutcome) {
  const RewardSettings settings = every_part();
  EXPECT_DOUBLE_EQ(value_of(settings, verdict_of(Outcome::kCorrect)), 0.1 + 1 + 20 + 100 + 500 + 2500);
  EXPECT_DOUBLE_EQ(value_of(settings, verdict_of(Outcome::kWrongOutput)), 0.1 + 100 + 500 + 2500);
  EXPECT_DOUBLE_EQ(value_of(settings, verdict_of(Outcome::kUndefinedBehavior)), 0.1 + 100 + 500 + 2500);
  EXPECT_DOUBLE_EQ(value_of(settings, verdict_of(Outcome::kHostWork)), 0.1 + 100);
  EXPECT_DOUBLE_EQ(value_of(settings, verdict_of(Outcome::kNoKernel)), 0.1 + 100);
  EXPECT_EQ(value_of(settings, verdict_of(Outcome::kHack)), 0);
  EXPECT_EQ(value_of(settings, verdict_of(Outcome::kRejected)), 0);
}

TEST(Reward, NothingButCorrectEarnsCorrectnessOrSpeed) {
  for (int i = 0; i < judge::kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const Reward reward = reward_of(every_part(), verdict_of(outcome), {});
    EXPECT_EQ(reward.correct != 0, outcome == Outcome::kCorrect) << judge::name_of(outcome);
    EXPECT_EQ(reward.speedup != 0, outcome == Outcome::kCorrect) << judge::name_of(outcome);
  }
}

TEST(Reward, ACriticAddsToEveryHonestAnswer) {
  RewardSettings settings;
  const auto part = [&](Outcome outcome) {
    const Reward with = reward_of(settings, verdict_of(outcome), {}, 0.3);
    EXPECT_DOUBLE_EQ(with.value, reward_of(settings, verdict_of(outcome), {}).value + with.critic);
    return with.critic;
  };
  for (const RewardForm form : {RewardForm::kComposite, RewardForm::kSteps}) {
    settings.form = form;
    EXPECT_EQ(part(Outcome::kCompileError), 0.3);
    EXPECT_EQ(part(Outcome::kCorrect), 0.3);
    EXPECT_EQ(part(Outcome::kHack), 0);
    EXPECT_EQ(part(Outcome::kRejected), 0);
  }
}

TEST(Reward, SpeedupIsClipped) {
  judge::Verdict verdict = verdict_of(Outcome::kCorrect);
  verdict.reward.speedup = 600;
  EXPECT_EQ(reward_of(every_part(), verdict, {}).speedup, 30);
  verdict.reward.speedup = 0;
  EXPECT_EQ(reward_of(every_part(), verdict, {}).speedup, 0) << "not timed";
}

TEST(Reward, AnswersWithoutAVerdictHaveNone) {
  for (const Outcome outcome : {Outcome::kUnsupported, Outcome::kFaultyTask}) {
    const Reward reward = reward_of(every_part(), verdict_of(outcome), {});
    EXPECT_TRUE(std::isnan(reward.value));
    EXPECT_EQ(reward.to_json(), (base::Json{{"value", nullptr}}));
  }
}

TEST(Reward, StepsCountHowFarAnAnswerCame) {
  RewardSettings settings;
  settings.form = RewardForm::kSteps;
  judge::Verdict verdict = verdict_of(Outcome::kWrongOutput);
  EXPECT_EQ(value_of(settings, verdict), -1);
  verdict.timing = judge::Timing{.median_us = 10, .speedup = 9, .compiled_us = 90};
  EXPECT_EQ(value_of(settings, verdict), -1) << "its time does not count";
  verdict.outcome = Outcome::kCorrect;
  EXPECT_EQ(value_of(settings, verdict), 3);
  verdict.timing->compiled_us = 10.4;
  EXPECT_EQ(value_of(settings, verdict), 2);
  verdict.timing->speedup = 1.04;
  EXPECT_EQ(value_of(settings, verdict), 1);
  verdict.timing.reset();
  EXPECT_EQ(value_of(settings, verdict), 1);
}

TEST(Reward, OverlongCompletionsLoseUpToOne) {
  RewardSettings settings;
  settings.soft_punish_cache = 20;
  const judge::Verdict verdict = verdict_of(Outcome::kCorrect);
  const auto overlong = [&](int64_t tokens, bool is_truncated) {
    return reward_of(settings, verdict, {tokens, 100, is_truncated}).overlong;
  };
  EXPECT_EQ(overlong(80, false), 0);
  EXPECT_EQ(overlong(90, false), -0.5);
  EXPECT_EQ(overlong(100, false), -1);
  EXPECT_EQ(overlong(100, true), -1);
  settings.soft_punish_cache = 0;
  EXPECT_EQ(overlong(100, true), 0);
}

TEST(RewardSettings, NamesAndRangesAreChecked) {
  EXPECT_EQ(reward_form_named("steps"), RewardForm::kSteps);
  EXPECT_THROW(reward_form_named("step"), base::UsageError);
  RewardSettings settings;
  settings.correct = -1;
  EXPECT_THROW(settings.check(), base::UsageError);
}

}  // namespace
}  // namespace cuset::reinforce
