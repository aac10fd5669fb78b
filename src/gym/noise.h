// Answers as scraped data has them: wrong, long-winded, or in a style of their own.
#pragma once

#include <string>
#include <string_view>

#include "gym/program.h"

namespace cuset::gym {

enum class Noise : uint8_t { kNone, kWrong, kVerbose, kOddStyle };

std::string_view name_of(Noise noise);  // "odd_style"

// kNone with a chance of 1 - share; of the rest three in five are wrong, one in five each of the others.
Noise draw_noise(double share, base::RandomStream& stream);

// The program with `noise` in it. kWrong is one of its mutants (judge/audit/mutants.h); the others still
// compute what they should.
std::string with_noise(const GymProgram& program, Noise noise, base::RandomStream stream);

}  // namespace cuset::gym
