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
                                  size_t group_size) {
  CUSET_CHECK(group_size > 0 && rewards.size() % group_size == 0, "{} rewards in groups of {}",
              rewards.size(), group_size);
  const double of_batch = moments_of(rewards).deviation;
  std::vector<double> advantages(rewards.size(), 0);
  for (size_t begin = 0; begin < rewards.size(); begin += group_size) {
    const RewardMoments group = moments_of(rewards.subspan(begin, group_size));
    if (!group.has_spread) continue;
    double scale = 1;
    if (settings.scale_rewards == ScaleRewards::kGroup) scale = group.deviation + kLeastDeviation;
    if (settings.scale_rewards == ScaleRewards::kBatch) scale = of_batch + kLeastDeviation;
    for (size_t i = begin; i < begin + group_size; ++i) {
      if (std::isnan(rewards[i])) continue;
      advantages[i] = (rewards[i] - baseline_of(group, rewards[i], settings.leave_one_out)) / scale;
    }
  }
  return advantages;
}

}  // namespace cuset::objective
