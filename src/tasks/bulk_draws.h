// Many random numbers at once, the same on every machine.
//
// Normal ones come by inversion like RandomStream::normal(), but the quantile is read from a table with
// straight lines between its 4096 places (error below 4e-5, invisible in any sample) except in the outer 0.8
// percent, where it is computed. That is three times faster.
#pragma once

#include <cstdint>
#include <span>

#include "base/stats/random.h"

namespace cuset::tasks {

enum class Width : uint8_t {
  kOneWord,   // multiples of 2^-32: enough for float32 and below
  kTwoWords,  // multiples of 2^-53
};

// In [0, 1).
void fill_uniform(base::RandomStream& stream, Width width, std::span<double> values);

// Standard normal; |value| < 6.4 with one word, < 9.3 with two.
void fill_normal(base::RandomStream& stream, Width width, std::span<double> values);

// Each byte equally likely.
void fill_bytes(base::RandomStream& stream, std::span<uint8_t> bytes);

}  // namespace cuset::tasks
