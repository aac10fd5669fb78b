// Clutter around a right program, as scraped code has it: remarks, idle constants, debug prints and timing, all of words
// and numbers that nobody can predict. Kernels, launches and every other line of the program stay as they are.
#pragma once

#include <string>

#include "base/stats/random.h"

namespace cuset::gym {

// The lines of `source`, with others between those of main, above the program and below it. The program still computes
// what it did.
std::string with_clutter(const std::string& source, base::RandomStream& stream);

}  // namespace cuset::gym
