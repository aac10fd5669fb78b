// What the tests of operations share: distances, weights with room for gradients, the GPU where there is one.
#pragma once

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include "ops/parameter.h"
#include "ops/wide_type.h"

namespace cuset::support {

// The distance from `wanted` in units of `size`, which is `wanted` itself unless given.
inline double relative_error(const torch::Tensor& value, const torch::Tensor& wanted,
                             torch::Tensor size = {}) {
  if (!size.defined()) size = wanted;
  const auto distance =
      (value.detach().to(torch::kCPU, torch::kFloat64) - wanted.detach().to(torch::kCPU, torch::kFloat64))
          .norm();
  return (distance / size.detach().to(torch::kCPU, torch::kFloat64).norm()).item<double>();
}

// A weight with room for its gradient.
inline ops::Parameter trained(const torch::Tensor& value) {
  return {value, torch::zeros_like(value, ops::wide_type(value.scalar_type()))};
}

// Where an operation is tried, and how near it must come to a float64 oracle on the same rounded inputs.
struct Place {
  torch::Device device;
  torch::ScalarType type;
  double limit;
};

inline std::vector<Place> cpu_places() {
  return {{torch::kCPU, torch::kFloat64, 1e-13},
          {torch::kCPU, torch::kFloat32, 2e-6},
          {torch::kCPU, torch::kBFloat16, 2e-2}};
}

inline std::vector<Place> gpu_places() {
  return {{torch::kCUDA, torch::kFloat32, 2e-6}, {torch::kCUDA, torch::kBFloat16, 2e-2}};
}

}  // namespace cuset::support

#define CUSET_SKIP_WITHOUT_GPU() \
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU"
