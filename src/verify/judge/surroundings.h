// The inputs around a wrong element, for the person who looks for the mistake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/tasks/array.h"
#include "verify/tasks/task.h"

namespace cuset {

// "x[1022..1026] = 0.5 -1 2 0 3; b[7] = 4" for an element of an output of `count` elements. Inputs with as
// many elements are shown around the same index, inputs with a multiple of them (rows that are reduced) from
// the beginning of its part; others say nothing about one element.
std::string surroundings(const std::vector<TaskInput>& names, const std::vector<Array>& inputs,
                         uint64_t index, uint64_t count);

}  // namespace cuset
