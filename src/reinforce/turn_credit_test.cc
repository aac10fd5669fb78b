#include "reinforce/turn_credit.h"

#include <gtest/gtest.h>

#include <limits>

namespace cuset::reinforce {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Rollout turn(uint64_t draw, uint32_t sample, uint32_t number, double reward) {
  Rollout made{.draw = draw, .sample = sample, .turn = number};
  made.reward.value = reward;
  made.answer = generate::GeneratedAnswer{.finish = generate::Finish::kStop, .ids = {1}};
  return made;
}

std::vector<double> numbers(const std::vector<Rollout>& rollouts, double Rollout::* member) {
  std::vector<double> values;
  for (const Rollout& rollout : rollouts) values.push_back(rollout.*member);
  return values;
}

// Four conversations of at most three turns, by hand: the second is solved at once, the fourth in its second turn.
std::vector<Rollout> four_conversations() {
  return {turn(7, 0, 1, 0),   turn(7, 0, 2, 0.5), turn(7, 0, 3, 1),  // returns 0.5, 1, 1
          turn(7, 1, 1, 1),                                          // 1
          turn(7, 2, 1, 0),   turn(7, 2, 2, 0),   turn(7, 2, 3, 0),  // 0, 0, 0
          turn(7, 3, 1, 0.5), turn(7, 3, 2, 1)};                     // 1, 1
}

TEST(TurnCredit, LaterTurnsAreDiscounted) {
  std::vector<Rollout> rollouts = four_conversations();
  give_returns(rollouts, 0.5);
  EXPECT_EQ(numbers(rollouts, &Rollout::turn_return), (std::vector<double>{0.5, 1, 1, 1, 0, 0, 0, 1, 1}));
}

TEST(TurnCredit, ReturnsAreComparedWithTheOthersOfTheirTurn) {
  std::vector<Rollout> rollouts = four_conversations();
  give_returns(rollouts, 0.5);
  EXPECT_EQ(keep_groups_with_spread(rollouts, false), 1);
  objective::PolicySettings settings;
  settings.scale_rewards = objective::ScaleRewards::kNone;
  settings.leave_one_out = true;
  give_advantages(settings, rollouts);
  // First turn: 0.5, 1, 0, 1; second: 1, 0, 1; third: 1, 0.
  const std::vector<double> expected = {0.5 - 2 / 3.0, 0.5, 1, 1 - 0.5, 0 - 2.5 / 3, -1, -1, 1 - 0.5, 0.5};
  const std::vector<double> found = numbers(rollouts, &Rollout::advantage);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
}

TEST(TurnCredit, GroupsWithoutSpreadAreDroppedByTurn) {
  std::vector<Rollout> rollouts = {turn(1, 0, 1, 0), turn(1, 0, 2, 0), turn(1, 1, 1, 0),
                                   turn(1, 1, 2, 1), turn(2, 0, 1, 1), turn(2, 1, 1, 1),
                                   turn(3, 0, 1, 0), turn(3, 0, 2, 1), turn(3, 1, 1, 1)};
  give_returns(rollouts, 0);
  EXPECT_EQ(keep_groups_with_spread(rollouts, false), 2);
  const std::vector<bool> kept = {false, true, false, true, false, false, true, false, true};
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(rollouts[i].is_kept, kept[i]) << i;
}

TEST(TurnCredit, AnswersWithoutAVerdictHaveNoPart) {
  std::vector<Rollout> rollouts = {turn(1, 0, 1, 0), turn(1, 0, 2, kNone), turn(1, 1, 1, 1),
                                   turn(1, 2, 1, kNone)};
  give_returns(rollouts, 0.4);
  EXPECT_EQ(rollouts[0].turn_return, 0);
  EXPECT_TRUE(std::isnan(rollouts[1].turn_return));
  EXPECT_EQ(keep_groups_with_spread(rollouts, false), 1);
  EXPECT_FALSE(rollouts[1].is_kept);
  objective::PolicySettings settings;
  settings.scale_rewards = objective::ScaleRewards::kNone;
  give_advantages(settings, rollouts);
  EXPECT_EQ(numbers(rollouts, &Rollout::advantage), (std::vector<double>{-0.5, 0, 0.5, 0}));
}

TEST(TurnCredit, AGroupOfMaskedAnswersTeachesNothing) {
  std::vector<Rollout> rollouts = {turn(1, 0, 1, 0), turn(1, 1, 1, 1)};
  for (Rollout& rollout : rollouts) rollout.answer->finish = generate::Finish::kLength;
  give_returns(rollouts, 0.4);
  EXPECT_EQ(keep_groups_with_spread(rollouts, true), 0);
  EXPECT_EQ(keep_groups_with_spread(rollouts, false), 1);
}

}  // namespace
}  // namespace cuset::reinforce
