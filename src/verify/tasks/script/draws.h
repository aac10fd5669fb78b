// Random numbers of a script, spread as the variation says.
//
// All draws come down to three: u in [0, 1), standard normal z, and whole numbers below n. Each call of the
// script takes a child of the stream of its own, so a call's numbers do not depend on how many others drew.
//
//                    u                       z                                      below n
//   plain            u                       z                                      even
//   scaled           s u, 1/8 <= s < 1       s z, 1/8 <= s < 2                      the lower part of the range
//   shifted          s + (1 - s) u           z + m, 1/2 <= |m| < 1                  the upper part
//   heavy-tailed     u^4                     z with factors 1, 3, 8, |z| <= 12      u^4 of the range
//   zeros and signs  a quarter below 2^-10   a quarter 0                            a quarter 0 (or the lowest)
//
// The factors of the heavy-tailed z have odds 240 : 15 : 1 and a common divisor that keeps the variance 1. A
// uniform draw is never 0 itself: scripts feed it to logarithms and divisions. Permutations, choices and
// shuffles are the same in all variations, as are whole numbers of ranges up to 16.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "verify/tasks/inputs.h"

namespace cuset::script {

class Draws {
 public:
  Draws(const RandomStream& stream, Variation variation) : stream_(stream), variation_(variation) {}

  // In (0, 1 - 2^-24]; `coarse`: from one random word each, which is enough for float32 and below.
  void uniform(std::span<double> numbers, bool coarse);
  void normal(std::span<double> numbers, bool coarse);
  // Whole numbers from low to high - 1; exact up to 2^53. Throws Failure for an empty range.
  void integers(std::span<double> numbers, double low, double high);

  // Never varied.
  std::vector<size_t> permutation(size_t n);
  // `count` of 0 .. n-1.
  std::vector<size_t> choice(size_t count, size_t n, bool replace);
  // Like choice with replacement, with these weights.
  std::vector<size_t> weighted_choice(size_t count, std::span<const double> weights);
  RandomStream next_stream() { return stream_.child(calls_++); }

 private:
  RandomStream stream_;
  Variation variation_;
  uint64_t calls_ = 0;
};

}  // namespace cuset::script
