#include "reinforce/reward.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::reinforce {
namespace {

constexpr std::array<std::string_view, 2> kForms = {"composite", "steps"};
constexpr double kClearlyFaster = 1.05;

void check_weight(std::string_view key, double value) {
  if (value >= 0 && std::isfinite(value)) return;
  throw base::UsageError("{}: {} is out of range", key, value)
      .with_remedy("it must be 0 or a positive number");
}

// Its outputs are not its kernels' work.
bool is_without_work(judge::Outcome outcome) {
  return outcome == judge::Outcome::kNoKernel || outcome == judge::Outcome::kHostWork;
}

double share_of_correct_trials(const judge::Verdict& verdict) {
  if (verdict.trials.empty()) return 0;
  const auto correct =
      std::count_if(verdict.trials.begin(), verdict.trials.end(),
                    [](const judge::Trial& trial) { return trial.outcome == judge::Outcome::kCorrect; });
  return static_cast<double>(correct) / static_cast<double>(verdict.trials.size());
}

double steps_of(const judge::Verdict& verdict) {
  if (verdict.outcome != judge::Outcome::kCorrect) return -1;
  if (!verdict.timing || verdict.timing->speedup < kClearlyFaster) return 1;
  const judge::Timing& timing = *verdict.timing;
  return timing.compiled_us >= kClearlyFaster * timing.median_us ? 3 : 2;
}

void add_composite(const RewardSettings& settings, const judge::Verdict& verdict, Reward& reward) {
  if (is_dishonest(verdict.outcome)) return;
  reward.compiled = settings.compiled * verdict.reward.compiled;
  reward.launched = settings.launched * verdict.reward.launched;
  if (!is_without_work(verdict.outcome)) {
    reward.fraction_right = settings.fraction_right * verdict.reward.fraction_right;
    reward.trials = settings.trials * share_of_correct_trials(verdict);
  }
  if (verdict.outcome != judge::Outcome::kCorrect) return;
  reward.correct = settings.correct;
  reward.speedup = settings.speedup * std::clamp(verdict.reward.speedup, 0.0, settings.max_speedup);
}

double overlong_part(int64_t cache, const CompletionLength& length) {
  if (cache <= 0) return 0;
  if (length.is_truncated) return -1;
  const int64_t free = length.most - cache;
  if (length.tokens <= free) return 0;
  return std::max(-1.0, static_cast<double>(free - length.tokens) / static_cast<double>(cache));
}

}  // namespace

bool is_dishonest(judge::Outcome outcome) {
  return outcome == judge::Outcome::kHack || outcome == judge::Outcome::kRejected;
}

std::string_view name_of(RewardForm form) { return kForms.at(static_cast<size_t>(form)); }

RewardForm reward_form_named(std::string_view name) {
  const auto place = std::find(kForms.begin(), kForms.end(), name);
  if (place == kForms.end()) {
    throw base::UsageError("reward: there is no {}{}", base::in_quotes(name),
                           base::did_you_mean(name, kForms))
        .with_remedy("choose composite or steps");
  }
  return static_cast<RewardForm>(place - kForms.begin());
}

void RewardSettings::check() const {
  check_weight("reward_compiled", compiled);
  check_weight("reward_correct", correct);
  check_weight("reward_speedup", speedup);
  check_weight("max_speedup", max_speedup);
  check_weight("reward_launched", launched);
  check_weight("reward_fraction_right", fraction_right);
  check_weight("reward_trials", trials);
  if (soft_punish_cache < 0) {
    throw base::UsageError("soft_punish_cache is {}, but must be at least 0", soft_punish_cache);
  }
}

base::Json json_of(const RewardSettings& settings) {
  return {{"reward", name_of(settings.form)},
          {"reward_compiled", settings.compiled},
          {"reward_correct", settings.correct},
          {"reward_speedup", settings.speedup},
          {"max_speedup", settings.max_speedup},
          {"reward_launched", settings.launched},
          {"reward_fraction_right", settings.fraction_right},
          {"reward_trials", settings.trials},
          {"soft_punish_cache", settings.soft_punish_cache}};
}

base::Json Reward::to_json() const {
  base::Json json = {{"value", std::isnan(value) ? base::Json(nullptr) : base::Json(value)}};
  const std::pair<const char*, double> parts[] = {{"compiled", compiled},
                                                  {"correct", correct},
                                                  {"speedup", speedup},
                                                  {"launched", launched},
                                                  {"fraction_right", fraction_right},
                                                  {"critic", critic},
                                                  {"trials", trials},
                                                  {"steps", steps},
                                                  {"overlong", overlong}};
  for (const auto& [name, part] : parts) {
    if (part != 0) json[name] = part;
  }
  return json;
}

Reward reward_of(const RewardSettings& settings, const judge::Verdict& verdict,
                 const CompletionLength& length, double critic) {
  Reward reward;
  if (!judge::is_verdict(verdict.outcome)) {
    reward.value = std::numeric_limits<double>::quiet_NaN();
    return reward;
  }
  if (settings.form == RewardForm::kSteps) {
    reward.steps = steps_of(verdict);
  } else {
    add_composite(settings, verdict, reward);
  }
  if (!is_dishonest(verdict.outcome)) reward.critic = critic;
  reward.overlong = overlong_part(settings.soft_punish_cache, length);
  reward.value = reward.compiled + reward.correct + reward.speedup + reward.launched + reward.fraction_right +
                 reward.trials + reward.critic + reward.steps + reward.overlong;
  return reward;
}

}  // namespace cuset::reinforce
