#include "reinforce/step_report.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "objective/advantages.h"

namespace cuset::reinforce {
namespace {

// Mean, least and largest of whole numbers; zeros where there are none.
struct Lengths {
  int64_t count = 0, sum = 0, least = 0, largest = 0;

  void add(int64_t length) {
    least = count == 0 ? length : std::min(least, length);
    largest = std::max(largest, length);
    sum += length;
    ++count;
  }
  void write(base::Json& json, std::string_view name) const {
    json[fmt::format("completions/mean_{}", name)] =
        count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
    json[fmt::format("completions/min_{}", name)] = least;
    json[fmt::format("completions/max_{}", name)] = largest;
  }
};

void write_lengths(std::span<const Rollout> rollouts, base::Json& json) {
  Lengths all, terminated;
  for (const Rollout& rollout : rollouts) {
    all.add(rollout.answer->tokens);
    if (!rollout.is_truncated()) terminated.add(rollout.answer->tokens);
  }
  all.write(json, "length");
  terminated.write(json, "terminated_length");
  json["completions/clipped_ratio"] =
      1 - static_cast<double>(terminated.count) / static_cast<double>(std::max<int64_t>(1, all.count));
}

double share(std::span<const Rollout> rollouts, const std::function<bool(judge::Outcome)>& is_counted) {
  size_t judged = 0, counted = 0;
  for (const Rollout& rollout : rollouts) {
    const judge::Outcome outcome = rollout.verdict->outcome;
    if (!judge::is_verdict(outcome)) continue;
    ++judged;
    if (is_counted(outcome)) ++counted;
  }
  return judged == 0 ? 0 : static_cast<double>(counted) / static_cast<double>(judged);
}

void write_rates(std::span<const Rollout> rollouts, base::Json& json) {
  json["pass_rate"] =
      share(rollouts, [](judge::Outcome outcome) { return outcome == judge::Outcome::kCorrect; });
  json["compile_rate"] = share(rollouts, judge::compiled);
  json["hack_rate"] = share(rollouts, [](judge::Outcome outcome) {
    return outcome == judge::Outcome::kHack || outcome == judge::Outcome::kRejected;
  });
  json["without_verdict"] = std::count_if(rollouts.begin(), rollouts.end(), [](const Rollout& rollout) {
    return !judge::is_verdict(rollout.verdict->outcome);
  });
}

void write_rewards(std::span<const Rollout> rollouts, size_t group_size, base::Json& json) {
  std::vector<double> rewards;
  for (const Rollout& rollout : rollouts) rewards.push_back(rollout.reward.value);
  double deviations = 0;
  size_t groups = 0, equal = 0;
  for (size_t begin = 0; begin < rewards.size(); begin += group_size, ++groups) {
    const auto group = objective::moments_of(std::span(rewards).subspan(begin, group_size));
    deviations += group.deviation;
    if (!group.has_spread) ++equal;
  }
  const auto count = static_cast<double>(std::max<size_t>(1, groups));
  json["reward"] = objective::moments_of(rewards).mean;
  json["reward_std"] = deviations / count;
  json["frac_reward_zero_std"] = static_cast<double>(equal) / count;
}

void write_parts(std::span<const Rollout> rollouts, base::Json& json) {
  const std::pair<const char*, double Reward::*> parts[] = {{"compiled", &Reward::compiled},
                                                            {"correct", &Reward::correct},
                                                            {"speedup", &Reward::speedup},
                                                            {"launched", &Reward::launched},
                                                            {"fraction_right", &Reward::fraction_right},
                                                            {"source_rules", &Reward::source_rules},
                                                            {"trials", &Reward::trials},
                                                            {"steps", &Reward::steps},
                                                            {"overlong", &Reward::overlong}};
  for (const auto& [name, member] : parts) {
    double sum = 0;
    for (const Rollout& rollout : rollouts) sum += rollout.reward.*member;
    if (sum != 0) json[fmt::format("rewards/{}/mean", name)] = sum / static_cast<double>(rollouts.size());
  }
}

}  // namespace

base::Json describe_rollouts(std::span<const Rollout> rollouts, size_t group_size) {
  base::Json json = base::Json::object();
  write_rewards(rollouts, group_size, json);
  write_rates(rollouts, json);
  write_parts(rollouts, json);
  write_lengths(rollouts, json);
  return json;
}

std::vector<std::string> shown_metrics() {
  return {"reward", "reward_std", "pass_rate",        "completions/mean_length", "loss",
          "kl",     "entropy",    "sampling_seconds", "judging_wait_seconds",    "updating_seconds"};
}

}  // namespace cuset::reinforce
