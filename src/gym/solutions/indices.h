// Inputs that point into something.
#pragma once

#include "gym/family.h"

namespace cuset {

// Whole numbers from 0 to `count` - 1, evenly spread in every trial.
inline Domain indices_below(int64_t count) {
  Domain domain;
  domain.kind = Domain::Kind::kIndex;
  domain.high = static_cast<double>(count);
  return domain;
}

}  // namespace cuset
