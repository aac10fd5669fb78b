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

  // Throws UsageError naming what is out of range.
  void check() const;
  friend bool operator==(const SamplingSettings&, const SamplingSettings&) = default;
};

base::Json json_of(const SamplingSettings& settings);

}  // namespace cuset::generate
