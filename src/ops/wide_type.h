// The type that sums and metrics are kept in beside values of a given type: float32 for float32 and the half
// types, float64 for float64, which keeps its precision so that it can serve as an oracle.
#pragma once

#include <torch/types.h>

namespace cuset::ops {

inline torch::ScalarType wide_type(torch::ScalarType type) {
  return type == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
}

}  // namespace cuset::ops
