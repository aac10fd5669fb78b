// What a trial's comparisons say in one number and one line.
#pragma once

#include <string>
#include <vector>

#include "verify/judge/verdict.h"

namespace cuset {

// Of all elements of all outputs; 0 where there are none.
double fraction_right(const std::vector<OutputComparison>& outputs);

// "y[17] is 5, wanted 3.2; 1 of 1000 wrong on plain inputs" for the first output with a wrong element; empty
// where there is none.
std::string explain_wrong(const Trial& trial);

}  // namespace cuset
