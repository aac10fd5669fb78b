// Kernels get only the sizes and scalars that their bodies use.
#pragma once

#include "gym/family.h"

namespace cuset::gym {

// Takes out of every kernel's parameters the sizes and scalars that its body does not name.
void keep_used_parameters(std::vector<GymSolution>& solutions);

}  // namespace cuset::gym
