#include "ops/determinism.h"

#include <ATen/Context.h>

namespace cuset {

void set_deterministic_operations(bool deterministic) {
  // Operations that LibTorch has in one form only are used as they are, without a warning from it.
  at::globalContext().setDeterministicAlgorithms(deterministic, /*warn_only=*/true);
  at::globalContext().setDeterministicFillUninitializedMemory(false);
}

bool deterministic_operations() { return at::globalContext().deterministicAlgorithms(); }

}  // namespace cuset
