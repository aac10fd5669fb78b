// Answers as scraped data has them: wrong, long-winded, in a style of their own, or right with clutter around their kernels.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gym/program.h"

namespace cuset::gym {

enum class Noise : uint8_t { kNone, kWrong, kVerbose, kOddStyle, kAround };

std::string_view name_of(Noise noise);  // "odd_style"

// How often each kind occurs among noisy answers, in parts of their sum.
struct NoiseMix {
  std::vector<std::pair<Noise, uint64_t>> parts = {
      {Noise::kWrong, 3}, {Noise::kVerbose, 1}, {Noise::kOddStyle, 1}};
};

// {"wrong:3", "around"}: a kind with its parts, or one part. Throws UsageError.
NoiseMix noise_mix(const std::vector<std::string>& kinds);

// kNone with a chance of 1 - share.
Noise draw_noise(double share, const NoiseMix& mix, base::RandomStream& stream);

// The program with `noise` in it. kWrong is one of its mutants (judge/audit/mutants.h); the others still
// compute what they should. kAround leaves every line as it is (clutter.h).
std::string with_noise(const GymProgram& program, Noise noise, base::RandomStream stream);

}  // namespace cuset::gym
