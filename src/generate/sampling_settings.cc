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
  // Beyond these, scores leave the range of float32.
  if (!(repetition_penalty >= 1e-4 && repetition_penalty <= 1e6)) {
    refuse("repetition_penalty", repetition_penalty, "in 0.0001 to 1000000");
  }
  if (!(std::abs(presence_penalty) <= 2)) refuse("presence_penalty", presence_penalty, "in -2 to 2");
  if (!(std::abs(frequency_penalty) <= 2)) refuse("frequency_penalty", frequency_penalty, "in -2 to 2");
}

base::Json json_of(const SamplingSettings& settings) {
  base::Json json = {{"temperature", settings.temperature},
                     {"top_k", settings.top_k},
                     {"top_p", settings.top_p},
                     {"min_p", settings.min_p},
                     {"repetition_penalty", settings.repetition_penalty}};
  if (settings.presence_penalty != 0) json["presence_penalty"] = settings.presence_penalty;
  if (settings.frequency_penalty != 0) json["frequency_penalty"] = settings.frequency_penalty;
  return json;
}

}  // namespace cuset::generate
