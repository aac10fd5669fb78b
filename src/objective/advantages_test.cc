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
  std::vector<size_t> groups;
  for (size_t i = 0; i < rewards.size(); ++i) groups.push_back(i / group);
  return advantages_of(settings, rewards, groups);
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

TEST(Advantages, GroupsMayHaveAnySizeAndOrder) {
  PolicySettings settings;
  settings.scale_rewards = ScaleRewards::kNone;
  settings.leave_one_out = true;
  const std::vector<double> rewards = {0, 10, 1, 20, 5, 2};
  const std::vector<size_t> groups = {0, 1, 0, 1, 3, 0};  // of 3, 2, 0 and 1
  EXPECT_EQ(advantages_of(settings, rewards, groups), (std::vector<double>{-1.5, -10, 0, 10, 0, 1.5}));
}

TEST(DiscountedReturns, AddWhatLaterTurnsEarn) {
  EXPECT_EQ(discounted_returns(std::vector<double>{1, 2, 4}, 0.5), (std::vector<double>{3, 4, 4}));
  EXPECT_EQ(discounted_returns(std::vector<double>{1, 2, 4}, 0), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(discounted_returns(std::vector<double>{-1, 3}, 1), (std::vector<double>{2, 3}));
  EXPECT_TRUE(discounted_returns({}, 0.4).empty());
}

TEST(DiscountedReturns, ATurnWithoutARewardAddsNothing) {
  const std::vector<double> returns = discounted_returns(std::vector<double>{1, kNone, 4}, 0.5);
  EXPECT_EQ(returns[0], 2);
  EXPECT_TRUE(std::isnan(returns[1]));
  EXPECT_EQ(returns[2], 4);
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
