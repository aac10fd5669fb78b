// Whether numbers of a domain exist in an input's type and shape: a normal variable has no place in an int32,
// nor an index below 100,000 in a float16.
#pragma once

#include <string>

#include "tasks/task.h"

namespace cuset::tasks {

// Larger arrays are rejected before any memory is allocated.
inline constexpr uint64_t kMostArrayBytes = uint64_t{64} << 30;

// Throws Error "PLACE: input 'x': ..." with what to change.
void check_domain(const TaskInput& input, const std::string& place);

}  // namespace cuset::tasks
