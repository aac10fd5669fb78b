// The numbers that a type has in an interval.
#pragma once

#include "tasks/array.h"

namespace cuset::tasks {

struct NumberRange {
  double least = 0;
  double most = 0;
};

// The least and the largest number of `type` in low <= x < high. Throws Error where there is none.
NumberRange numbers_within(NumberType type, double low, double high);

// The finite numbers of a floating type.
NumberRange finite_numbers(NumberType type);

// The least number above 0 of a floating type.
double least_positive(NumberType type);

}  // namespace cuset::tasks
