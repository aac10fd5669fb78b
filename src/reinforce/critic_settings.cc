#include "reinforce/critic_settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::reinforce {
namespace {

constexpr std::array<std::string_view, 4> kCritics = {"none", "rules", "endpoint", "command"};

void require_for(CriticKind kind, std::string_view key, const std::string& value) {
  if (!value.empty()) return;
  throw base::UsageError("critic: {} needs {}", name_of(kind), key);
}

void refuse_for(CriticKind kind, std::string_view key, const std::string& value) {
  if (value.empty()) return;
  throw base::UsageError("{} is given, but critic is {}", key, name_of(kind))
      .with_remedy("leave one of the two out");
}

}  // namespace

std::string_view name_of(CriticKind kind) { return kCritics.at(static_cast<size_t>(kind)); }

CriticKind critic_kind_named(std::string_view name) {
  const auto place = std::find(kCritics.begin(), kCritics.end(), name);
  if (place == kCritics.end()) {
    throw base::UsageError("critic: there is no {}{}", base::in_quotes(name),
                           base::did_you_mean(name, kCritics))
        .with_remedy("choose none, rules, endpoint or command");
  }
  return static_cast<CriticKind>(place - kCritics.begin());
}

void CriticSettings::check() const {
  if (!(weight >= 0) || !std::isfinite(weight)) {
    throw base::UsageError("critic_weight: {} is out of range", weight)
        .with_remedy("it must be 0 or a positive number");
  }
  if (kind == CriticKind::kEndpoint) {
    require_for(kind, "critic_url", url);
    require_for(kind, "critic_model", model);
    if (!url.starts_with("http://") && !url.starts_with("https://")) {
      throw base::UsageError("critic_url: {} is not an address", base::in_quotes(url))
          .with_remedy("give one like https://host/v1");
    }
  } else {
    refuse_for(kind, "critic_url", url);
    refuse_for(kind, "critic_model", model);
    refuse_for(kind, "critic_key", key);
  }
  if (kind == CriticKind::kCommand) {
    require_for(kind, "critic_command", command);
  } else {
    refuse_for(kind, "critic_command", command);
  }
  if (parallel < 1) throw base::UsageError("critic_parallel is {}, but must be at least 1", parallel);
  if (retries < 0) throw base::UsageError("critic_retries is {}, but must be at least 0", retries);
  if (!(timeout > 0) || timeout > 86'400)
    throw base::UsageError("critic_timeout: {} is out of range", timeout)
        .with_remedy("it must be a positive number of seconds");
}

base::Json json_of(const CriticSettings& settings) {
  base::Json json = {{"critic", name_of(settings.kind)}};
  if (settings.kind == CriticKind::kNone) return json;
  json["critic_weight"] = settings.weight;
  if (settings.kind == CriticKind::kEndpoint) json["critic_model"] = settings.model;
  if (settings.kind == CriticKind::kCommand) json["critic_command"] = settings.command;
  return json;
}

}  // namespace cuset::reinforce
