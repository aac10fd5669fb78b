// The rotary embedding of a model: its frequencies, and how they are scaled for longer sequences than the model
// was first trained on.
//
//   linear   every frequency divided by the factor
//   llama3   waves longer than the first context are slowed down by the factor, short ones kept, those between
//            blended
//   yarn     the same with limits that count turns within the first context (beta_fast, beta_slow), blended over the
//            columns, and sine and cosine times attention_factor (Peng et al., "YaRN", 2023)
#pragma once

#include <cstdint>
#include <vector>

#include "base/json/json_cursor.h"

namespace cuset::model {

struct RopeScaling {
  enum class Kind { kNone, kLinear, kLlama3, kYarn };
  Kind kind = Kind::kNone;
  double factor = 1;
  double low_frequency_factor = 1;   // llama3
  double high_frequency_factor = 4;  // llama3
  double original_positions = 8192;  // llama3 and yarn: of the first context
  double beta_fast = 32;             // yarn: columns with so many turns or more are kept
  double beta_slow = 1;              // yarn: columns with so few turns or less are slowed down
  bool truncate = true;              // yarn: the limits are whole columns
  double attention_factor = 1;       // yarn: of sine and cosine
  friend bool operator==(const RopeScaling&, const RopeScaling&) = default;
};

struct Rope {
  double theta = 10000;
  RopeScaling scaling = {};
};

// Older files have rope_theta and rope_scaling, newer ones rope_parameters with both. What is said twice must
// agree. Throws Error naming the key at fault.
Rope read_rope(const base::JsonCursor& config, int64_t max_positions);

// Frequencies after scaling, [head_dim / 2].
std::vector<double> scaled_frequencies(const Rope& rope, int64_t head_dim);

}  // namespace cuset::model
