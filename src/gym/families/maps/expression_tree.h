// Random formulas of well-conditioned functions: for inputs in [-2, 2) every value in them stays small, and
// no rounding decides a comparison.
#pragma once

#include <string>
#include <vector>

#include "base/stats/random.h"

namespace cuset::gym {

// In the oracles' language; each of `leaves` ("$x") occurs in it.
std::string random_tree(const std::vector<std::string>& leaves, base::RandomStream& stream);

}  // namespace cuset::gym
