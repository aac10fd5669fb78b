#include "objective/policy_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::objective {
namespace {

constexpr std::array<std::string_view, 7> kLossTypes = {"grpo", "bnpo", "dr_grpo", "dapo",
                                                        "gspo", "rloo", "cispo"};
constexpr std::array<std::string_view, 3> kScales = {"group", "batch", "none"};
constexpr std::array<std::string_view, 2> kRatioLevels = {"token", "sequence"};
constexpr std::array<std::string_view, 7> kCorrections = {
    "none",          "token_truncate",     "token_mask",    "sequence_truncate",
    "sequence_mask", "geometric_truncate", "geometric_mask"};

template <typename Value, size_t count>
Value value_named(std::string_view key, std::string_view name,
                  const std::array<std::string_view, count>& names) {
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) {
    throw base::UsageError("{}: there is no {}{}", key, base::in_quotes(name),
                           base::did_you_mean(name, names))
        .with_remedy("choose one of {}", fmt::join(names, ", "));
  }
  return static_cast<Value>(place - names.begin());
}

// Written so that NaN fails too.
void check_policy_range(std::string_view key, double value, bool is_in_range, std::string_view range) {
  if (!is_in_range)
    throw base::UsageError("{}: {} is out of range", key, value).with_remedy("it must be {}", range);
}

}  // namespace

std::string_view name_of(LossType type) { return kLossTypes.at(static_cast<size_t>(type)); }
std::string_view name_of(ScaleRewards scale) { return kScales.at(static_cast<size_t>(scale)); }
std::string_view name_of(RatioLevel level) { return kRatioLevels.at(static_cast<size_t>(level)); }
std::string_view name_of(MismatchCorrection correction) {
  return kCorrections.at(static_cast<size_t>(correction));
}

LossType loss_type_named(std::string_view name) {
  return value_named<LossType>("loss_type", name, kLossTypes);
}
ScaleRewards scale_rewards_named(std::string_view name) {
  return value_named<ScaleRewards>("scale_rewards", name, kScales);
}
RatioLevel ratio_level_named(std::string_view name) {
  return value_named<RatioLevel>("importance_sampling_level", name, kRatioLevels);
}
MismatchCorrection mismatch_correction_named(std::string_view name) {
  return value_named<MismatchCorrection>("importance_sampling_mode", name, kCorrections);
}

void PolicySettings::check() const {
  check_policy_range("epsilon", epsilon, epsilon >= 0 && epsilon <= 1, "from 0 to 1");
  check_policy_range("epsilon_high", epsilon_high, epsilon_high >= 0 && std::isfinite(epsilon_high),
                     "0 or a positive number");
  check_policy_range("beta", beta, beta >= 0 && std::isfinite(beta), "0 or a positive number");
  check_policy_range("importance_sampling_cap", importance_sampling_cap,
                     importance_sampling_cap > 0 && std::isfinite(importance_sampling_cap),
                     "a positive number");
  check_policy_range("importance_sampling_min", importance_sampling_min,
                     importance_sampling_min >= 0 && importance_sampling_min <= importance_sampling_cap,
                     "from 0 to importance_sampling_cap");
}

}  // namespace cuset::objective
