#include "reinforce/step_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "objective/advantages.h"
#include "reinforce/turn_credit.h"

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

// The latest answer of each conversation after `turn` turns.
std::vector<Rollout> answers_after(std::span<const Rollout> rollouts, int64_t turn) {
  std::vector<Rollout> latest;
  for (const Rollout& rollout : rollouts) {
    if (rollout.turn > turn) continue;
    if (rollout.turn > 1) latest.pop_back();
    latest.push_back(rollout);
  }
  return latest;
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

double pass_rate(std::span<const Rollout> rollouts) {
  return share(rollouts, [](judge::Outcome outcome) { return outcome == judge::Outcome::kCorrect; });
}

void write_rates(std::span<const Rollout> rollouts, base::Json& json) {
  json["pass_rate"] = pass_rate(answers_after(rollouts, INT64_MAX));
  json["compile_rate"] = share(rollouts, judge::compiled);
  json["hack_rate"] = share(rollouts, [](judge::Outcome outcome) {
    return outcome == judge::Outcome::kHack || outcome == judge::Outcome::kRejected;
  });
  json["without_verdict"] = std::count_if(rollouts.begin(), rollouts.end(), [](const Rollout& rollout) {
    return !judge::is_verdict(rollout.verdict->outcome);
  });
}

void write_rewards(std::span<const Rollout> rollouts, base::Json& json) {
  std::vector<double> rewards;
  std::map<size_t, std::vector<double>> groups;  // returns
  const std::vector<size_t> numbers = groups_of(rollouts);
  for (size_t i = 0; i < rollouts.size(); ++i) {
    rewards.push_back(rollouts[i].reward.value);
    groups[numbers[i]].push_back(rollouts[i].turn_return);
  }
  double deviations = 0;
  size_t equal = 0;
  for (const auto& [number, returns] : groups) {
    const auto moments = objective::moments_of(returns);
    deviations += moments.deviation;
    if (!moments.has_spread) ++equal;
  }
  const auto count = static_cast<double>(std::max<size_t>(1, groups.size()));
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
                                                            {"critic", &Reward::critic},
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

base::Json describe_rollouts(std::span<const Rollout> rollouts) {
  base::Json json = base::Json::object();
  write_rewards(rollouts, json);
  write_rates(rollouts, json);
  write_parts(rollouts, json);
  write_lengths(rollouts, json);
  return json;
}

base::Json describe_turns(std::span<const Rollout> rollouts, int64_t turns) {
  base::Json json = base::Json::object();
  for (int64_t turn = 1; turn <= turns; ++turn) {
    std::vector<double> rewards;
    for (const Rollout& rollout : rollouts) {
      if (rollout.turn == turn) rewards.push_back(rollout.reward.value);
    }
    const std::string name = fmt::format("turns/{}/", turn);
    json[name + "answers"] = rewards.size();
    if (!rewards.empty()) json[name + "reward"] = objective::moments_of(rewards).mean;
    json[name + "pass_rate"] = pass_rate(answers_after(rollouts, turn));
  }
  return json;
}

std::vector<std::string> shown_metrics() {
  return {"reward", "reward_std", "pass_rate",        "completions/mean_length", "loss",
          "kl",     "entropy",    "sampling_seconds", "judging_wait_seconds",    "updating_seconds"};
}

}  // namespace cuset::reinforce
