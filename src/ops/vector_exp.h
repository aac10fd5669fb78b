// exp in float32 for loops that the compiler vectorises.
#pragma once

#include <bit>
#include <cstdint>

#include "ops/vector_clones.h"

namespace cuset {

// exp(x) for x <= 0, to about one unit in the last place; 0 below the smallest normal float32; not-a-number
// stays what it is. x = n ln 2 + r with |r| <= ln 2 / 2, exp(r) by its Taylor polynomial. Choices are made
// where they are cheap, on n and its power, so that no branch keeps the loop from being vectorised.
CUSET_ALWAYS_INLINE float exp_of_negative(float x) {
  constexpr float lowest = -87.3f;
  constexpr float ln2_high = 0.693359375f;  // few bits: n * ln2_high is exact
  constexpr float ln2_low = -2.12194440e-4f;
  const float inside = x > lowest ? x : lowest;  // also where x is not a number: n must be one
  const auto n = static_cast<int32_t>(inside * 1.44269504f - 0.5f);
  const auto whole = static_cast<float>(n);
  const float r = ((x < lowest ? lowest : x) - whole * ln2_high) - whole * ln2_low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const int32_t power = (n + 127) << 23;
  return p * std::bit_cast<float>(x < lowest ? 0 : power);
}

}  // namespace cuset
