#include "objective/advantages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cuset::objective {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> advantages(const std::vector<double>& rewards, size_t group, ScaleRewards scale,
                               bool leave_one_out = false) {
  PolicySettings settings;
  settings.scale_rewards = scale;
  settings.leave_one_out = leave_one_out;
  return advantages_of(settings, rewards, group);
}

TEST(Advantages, WithoutAScaleAreDifferencesToTheMeanOfTheGroup) {
  EXPECT_EQ(advantages({0, 1, 2, 3, 5, 7}, 3, ScaleRewards::kNone),
            (std::vector<double>{-1, 0, 1, -2, 0, 2}));
}

TEST(Advantages, LeaveOneOutTakesTheMeanOfTheOthers) {
  EXPECT_EQ(advantages({0, 1, 2}, 3, ScaleRewards::kNone, true), (std::vector<double>{-1.5, 0, 1.5}));
}

TEST(Advantages, AreScaledByTheDeviationOfTheGroupOrOfTheBatch) {
  const std::vector<double> rewards = {0, 2, 0, 0};
  const auto of_group = advantages(rewards, 2, ScaleRewards::kGroup);
  EXPECT_DOUBLE_EQ(of_group[1], 1 / (std::sqrt(2.0) + 1e-4));
  const auto of_batch = advantages(rewards, 2, ScaleRewards::kBatch);
  EXPECT_DOUBLE_EQ(of_batch[1], 1 / (1 + 1e-4));
  EXPECT_EQ(of_batch[2], 0);
}

TEST(Advantages, EqualRewardsAndGroupsOfOneGiveNone) {
  for (const ScaleRewards scale : {ScaleRewards::kGroup, ScaleRewards::kBatch, ScaleRewards::kNone}) {
    for (const bool leave_one_out : {false, true}) {
      EXPECT_EQ(advantages({0.1, 0.1, 0.1, 0.7, 0.7, 0.7}, 3, scale, leave_one_out),
                std::vector<double>(6, 0));
      EXPECT_EQ(advantages({0.1, 0.7, 3}, 1, scale, leave_one_out), std::vector<double>(3, 0));
    }
  }
}

TEST(Advantages, AnswersWithoutAVerdictHaveNoPart) {
  EXPECT_EQ(advantages({kNone, 1, 3, kNone, kNone, 5}, 3, ScaleRewards::kNone),
            (std::vector<double>{0, -1, 1, 0, 0, 0}));
}

TEST(RewardMoments, TellWhetherRewardsDiffer) {
  const std::vector<double> equal = {0.1, kNone, 0.1, 0.1};
  EXPECT_FALSE(moments_of(equal).has_spread);
  EXPECT_EQ(moments_of(equal).mean, 0.1);
  EXPECT_EQ(moments_of(equal).count, 3u);
  EXPECT_TRUE(moments_of(std::vector<double>{0.1, 0.2}).has_spread);
  EXPECT_FALSE(moments_of(std::vector<double>{kNone}).has_spread);
}

}  // namespace
}  // namespace cuset::objective
