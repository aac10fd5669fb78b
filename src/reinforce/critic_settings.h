// Which critic adds `weight * score` to rewards (reinforce/rollout_critic.h), and how it is asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace cuset::reinforce {

enum class CriticKind : uint8_t {
  kNone,
  kRules,     // rules about the source text (reinforce/source_rules.h)
  kEndpoint,  // a model behind an OpenAI-compatible endpoint
  kCommand,   // a program of the user's: JSON in, JSON out
};

// "none", "rules", "endpoint", "command".
std::string_view name_of(CriticKind kind);
// Throws UsageError naming the nearest one.
CriticKind critic_kind_named(std::string_view name);

struct CriticSettings {
  CriticKind kind = CriticKind::kNone;
  double weight = 0.5;
  std::string url;  // of the endpoint: "https://host/v1"
  std::string model;
  std::string key;      // name of the environment variable that holds the endpoint's key; empty: none is sent
  std::string command;  // for the shell
  int64_t parallel = 8;  // questions at a time
  int64_t retries = 3;   // of a question, after the first attempt
  double timeout = 120;  // seconds of an attempt
  double backoff = 1;    // seconds before the first retry; doubled with each

  // Whether it is asked from outside, and may fail.
  bool is_asked() const { return kind == CriticKind::kEndpoint || kind == CriticKind::kCommand; }
  // Throws UsageError naming the first key whose value is out of its range, missing, or of another critic.
  void check() const;
};

// What decides scores: a resumed run may not change it.
base::Json json_of(const CriticSettings& settings);

}  // namespace cuset::reinforce
