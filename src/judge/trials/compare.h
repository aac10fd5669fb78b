// Compares every element of an output with what was expected, and explains what is wrong. docs/verdicts.md.
//
// A number is right if |got - wanted| <= absolute + relative * |wanted|; NaN is right where NaN is expected
// and an infinity where the same infinity is expected, and neither is anywhere else. Whole numbers must be
// equal.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "judge/verdict/verdict.h"
#include "tasks/array.h"
#include "tasks/task.h"

namespace cuset::judge {

// Both must have the same count. `wanted` may be of a wider type (float64, int64).
OutputComparison compare(const std::string& name, const tasks::Array& got, const tasks::Array& wanted,
                         const tasks::Tolerance& tolerance);

// Whether every element is right; stops at the first that is not.
bool all_right(const tasks::Array& got, const tasks::Array& wanted, const tasks::Tolerance& tolerance);
// The same of floating numbers that are made one by one.
bool all_right(const std::function<double(uint64_t)>& got, const tasks::Array& wanted,
               const tasks::Tolerance& tolerance);
// Of tolerances that become narrower: the first from `from` on with which some element is not right; their number where
// there is none. Looks at every element once.
size_t first_refusing(const std::function<double(uint64_t)>& got, const tasks::Array& wanted,
                      std::span<const tasks::Tolerance> narrowing, size_t from);

// The fraction of right elements of all outputs together; 0 where there are none.
double fraction_right(const std::vector<OutputComparison>& outputs);

// "y[17] is 5, wanted 3.2; 1 of 1000 wrong on plain inputs" for the first output with a wrong element; empty
// where there is none.
std::string explain_wrong(const Trial& trial);

// The inputs that belong to a wrong element: "x[1022..1026] = 0.5 -1 2 0 3; b[7] = 4" for element `index` of an
// output of `count` elements. Inputs of the same count are shown around the same index, inputs of a multiple
// of it (rows that are reduced) from the beginning of the element's part; others are left out.
std::string inputs_near(const std::vector<tasks::TaskInput>& names, const std::vector<tasks::Array>& inputs,
                        uint64_t index, uint64_t count);

}  // namespace cuset::judge
