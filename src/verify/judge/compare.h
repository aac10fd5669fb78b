// Compares an output with what was expected, every element. docs/verdicts.md.
//
// A number is right if |got - wanted| <= absolute + relative * |wanted|; NaN is right where NaN is expected
// and an infinity where the same infinity is expected, and neither is anywhere else. Whole numbers must be
// equal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/judge/verdict.h"
#include "verify/tasks/array.h"

namespace cuset {

// Both have the same count, which is our own affair. `wanted` may be of a wider type (float64, int64).
OutputComparison compare(const std::string& name, const Array& got, const Array& wanted,
                         const Tolerance& tolerance);

// Whether every element is right; stops at the first that is not.
bool all_right(const Array& got, const Array& wanted, const Tolerance& tolerance);
// The same of floating numbers that are made one by one.
bool all_right(const std::function<double(uint64_t)>& got, const Array& wanted, const Tolerance& tolerance);

}  // namespace cuset
