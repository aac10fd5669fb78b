// Inputs that point into something.
#pragma once

#include "gym/family.h"

namespace cuset::gym {

// Whole numbers from 0 to `count` - 1, evenly spread in every trial.
inline tasks::Domain indices_below(int64_t count) {
  tasks::Domain domain;
  domain.kind = tasks::Domain::Kind::kIndex;
  domain.high = static_cast<double>(count);
  return domain;
}

}  // namespace cuset::gym
