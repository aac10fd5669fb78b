#include "reinforce/turn_credit.h"

#include <map>
#include <set>

#include "objective/advantages.h"

namespace cuset::reinforce {
namespace {

bool is_same_conversation(const Rollout& a, const Rollout& b) {
  return a.draw == b.draw && a.sample == b.sample;
}

// The returns of every group, and whether something is learned from it.
struct TurnGroup {
  std::vector<double> returns;
  bool has_active = false;
};

}  // namespace

void give_returns(std::span<Rollout> rollouts, double discount) {
  for (size_t begin = 0; begin < rollouts.size();) {
    size_t end = begin;
    std::vector<double> rewards;
    while (end < rollouts.size() && is_same_conversation(rollouts[begin], rollouts[end]))
      rewards.push_back(rollouts[end++].reward.value);
    const std::vector<double> returns = objective::discounted_returns(rewards, discount);
    for (size_t i = begin; i < end; ++i) rollouts[i].turn_return = returns[i - begin];
    begin = end;
  }
}

std::vector<size_t> groups_of(std::span<const Rollout> rollouts) {
  std::map<std::pair<uint64_t, uint32_t>, size_t> numbers;  // by draw and turn
  std::vector<size_t> groups;
  for (const Rollout& rollout : rollouts)
    groups.push_back(numbers.try_emplace({rollout.draw, rollout.turn}, numbers.size()).first->second);
  return groups;
}

int64_t keep_groups_with_spread(std::span<Rollout> rollouts, bool masks_truncated) {
  const std::vector<size_t> numbers = groups_of(rollouts);
  std::vector<TurnGroup> groups(rollouts.size());
  for (size_t i = 0; i < rollouts.size(); ++i) {
    const Rollout& rollout = rollouts[i];
    groups[numbers[i]].returns.push_back(rollout.turn_return);
    groups[numbers[i]].has_active |=
        !(masks_truncated && rollout.is_truncated()) && !rollout.answer->ids.empty();
  }
  std::set<uint64_t> draws;
  for (size_t i = 0; i < rollouts.size(); ++i) {
    const TurnGroup& group = groups[numbers[i]];
    rollouts[i].is_kept = group.has_active && objective::moments_of(group.returns).has_spread;
    if (rollouts[i].is_kept) draws.insert(rollouts[i].draw);
  }
  return std::ssize(draws);
}

void give_advantages(const objective::PolicySettings& settings, std::span<Rollout> rollouts) {
  const std::vector<size_t> numbers = groups_of(rollouts);
  std::vector<double> returns;
  std::vector<size_t> groups;
  for (size_t i = 0; i < rollouts.size(); ++i) {
    if (!rollouts[i].is_kept) continue;
    returns.push_back(rollouts[i].turn_return);
    groups.push_back(numbers[i]);
  }
  const std::vector<double> advantages = objective::advantages_of(settings, returns, groups);
  size_t next = 0;
  for (Rollout& rollout : rollouts) {
    if (rollout.is_kept) rollout.advantage = advantages[next++];
  }
}

}  // namespace cuset::reinforce
