#include "objective/advantages.h"

#include <cmath>

#include "base/error.h"

namespace cuset::objective {
namespace {

constexpr double kLeastDeviation = 1e-4;  // TRL's

double baseline_of(const RewardMoments& group, double reward, bool leave_one_out) {
  if (!leave_one_out) return group.mean;
  if (group.count < 2) return reward;
  const auto count = static_cast<double>(group.count);
  return (group.mean * count - reward) / (count - 1);
}

}  // namespace

RewardMoments moments_of(std::span<const double> rewards) {
  RewardMoments moments;
  double sum = 0;
  double first = 0;
  for (const double reward : rewards) {
    if (std::isnan(reward)) continue;
    if (moments.count++ == 0) first = reward;
    sum += reward;
    moments.has_spread |= reward != first;
  }
  if (moments.count == 0) return moments;
  // Equal rewards have exactly their value for a mean, so that no rounding makes an advantage of nothing.
  moments.mean = moments.has_spread ? sum / static_cast<double>(moments.count) : first;
  double squares = 0;
  for (const double reward : rewards) {
    if (!std::isnan(reward)) squares += (reward - moments.mean) * (reward - moments.mean);
  }
  if (moments.count > 1) moments.deviation = std::sqrt(squares / static_cast<double>(moments.count - 1));
  return moments;
}

std::vector<double> advantages_of(const PolicySettings& settings, std::span<const double> rewards,
                                  std::span<const size_t> group) {
  CUSET_CHECK(group.size() == rewards.size(), "{} rewards in {} groups", rewards.size(), group.size());
  std::vector<std::vector<double>> members;
  for (size_t i = 0; i < rewards.size(); ++i) {
    if (group[i] >= members.size()) members.resize(group[i] + 1);
    members[group[i]].push_back(rewards[i]);
  }
  std::vector<RewardMoments> moments;
  for (const std::vector<double>& of_group : members) moments.push_back(moments_of(of_group));
  const double of_batch = moments_of(rewards).deviation;
  std::vector<double> advantages(rewards.size(), 0);
  for (size_t i = 0; i < rewards.size(); ++i) {
    const RewardMoments& of_group = moments[group[i]];
    if (!of_group.has_spread || std::isnan(rewards[i])) continue;
    double scale = 1;
    if (settings.scale_rewards == ScaleRewards::kGroup) scale = of_group.deviation + kLeastDeviation;
    if (settings.scale_rewards == ScaleRewards::kBatch) scale = of_batch + kLeastDeviation;
    advantages[i] = (rewards[i] - baseline_of(of_group, rewards[i], settings.leave_one_out)) / scale;
  }
  return advantages;
}

std::vector<double> discounted_returns(std::span<const double> rewards, double discount) {
  std::vector<double> returns(rewards.begin(), rewards.end());
  double later = 0;
  for (size_t i = rewards.size(); i-- > 0;) {
    later *= discount;
    if (std::isnan(rewards[i])) continue;
    returns[i] = later += rewards[i];
  }
  return returns;
}

}  // namespace cuset::objective
