// How tokens are chosen; sampling.h says what each number means.
#pragma once

#include <cstdint>

#include "base/json/json.h"

namespace cuset::generate {

struct SamplingSettings {
  double temperature = 0;  // 0: greedy
  int64_t top_k = 0;       // 0: all
  double top_p = 1;
  double min_p = 0;
  double repetition_penalty = 1;
  double presence_penalty = 0;  // score_changes.h
  double frequency_penalty = 0;

  // Throws UsageError naming what is out of range.
  void check() const;
  friend bool operator==(const SamplingSettings&, const SamplingSettings&) = default;
};

// Penalties by count only where there are any.
base::Json json_of(const SamplingSettings& settings);

// What is added to a token's logits (score_changes.h).
struct TokenBias {
  int64_t id = 0;
  float bias = 0;
  friend bool operator==(const TokenBias&, const TokenBias&) = default;
};

}  // namespace cuset::generate
