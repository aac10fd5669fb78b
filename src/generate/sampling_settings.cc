#include "generate/sampling_settings.h"

#include <cmath>

#include "base/error.h"

namespace cuset::generate {

void SamplingSettings::check() const {
  const auto refuse = [](const char* what, double value, const char* wanted) {
    throw base::UsageError("{} is {}, but must be {}", what, value, wanted);
  };
  if (!(temperature >= 0 && std::isfinite(temperature))) refuse("temperature", temperature, "0 or above");
  if (temperature > 0 && temperature < 1e-4) refuse("temperature", temperature, "0, or 0.0001 or above");
  if (top_k < 0) refuse("top_k", static_cast<double>(top_k), "0 (all) or above");
  if (!(top_p > 0 && top_p <= 1)) refuse("top_p", top_p, "above 0 and at most 1");
  if (!(min_p >= 0 && min_p <= 1)) refuse("min_p", min_p, "in 0 to 1");
  if (!(repetition_penalty > 0 && std::isfinite(repetition_penalty))) {
    refuse("repetition_penalty", repetition_penalty, "above 0");
  }
}

base::Json json_of(const SamplingSettings& settings) {
  return {{"temperature", settings.temperature},
          {"top_k", settings.top_k},
          {"top_p", settings.top_p},
          {"min_p", settings.min_p},
          {"repetition_penalty", settings.repetition_penalty}};
}

}  // namespace cuset::generate
