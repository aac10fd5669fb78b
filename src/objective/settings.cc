#include "objective/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::objective {
namespace {

constexpr std::array<std::string_view, 7> kMethodNames = {"sft",  "dft",   "eaft",      "profit",
                                                          "asft", "cuset", "cuset_plus"};

// Written so that NaN fails too.
void check_range(std::string_view key, double value, bool is_in_range, std::string_view range) {
  if (!is_in_range)
    throw base::UsageError("{}: {} is out of range", key, value).with_remedy("it must be {}", range);
}

void check_not_negative(std::string_view key, double value) {
  check_range(key, value, value >= 0 && std::isfinite(value), "0 or a positive number");
}

}  // namespace

std::string_view name_of(Method method) { return kMethodNames.at(static_cast<size_t>(method)); }

Method method_named(std::string_view name) {
  const auto place = std::find(kMethodNames.begin(), kMethodNames.end(), name);
  if (place == kMethodNames.end()) {
    throw base::UsageError("method: there is no {}{}", base::in_quotes(name),
                           base::did_you_mean(name, kMethodNames))
        .with_remedy("choose sft, dft, eaft, profit, asft, cuset or cuset_plus");
  }
  return static_cast<Method>(place - kMethodNames.begin());
}

ObjectiveSettings defaults_of(Method method) {
  ObjectiveSettings settings{.method = method};
  settings.cuda_mask = settings.sample_weight = method != Method::kCusetPlus;
  return settings;
}

double ObjectiveSettings::tau_at(double progress) const {
  if (tau_ramp <= 0) return tau;
  return tau * std::clamp(progress / tau_ramp, 0.0, 1.0);
}

void ObjectiveSettings::check() const {
  check_range("tau", tau, tau >= 0 && tau < 1, "at least 0 and below 1");
  check_range("tau_ramp", tau_ramp, tau_ramp >= 0 && tau_ramp <= 1, "a share of the run, from 0 to 1");
  check_not_negative("lambda", lambda);
  if (window < 1)
    throw base::UsageError("window: {} is out of range", window).with_remedy("it must be 1 or more");
  check_range("refused_share", refused_share, refused_share >= 0 && refused_share <= 1,
              "a share, from 0 to 1");
  check_range("conflict", conflict, conflict > 0 && conflict <= 1, "above 0, and 1 or less");
  check_not_negative("entropy_exponent", entropy_exponent);
  check_not_negative("divergence", divergence);
}

}  // namespace cuset::objective
