// The values of a tensor as a flat list, for answers in JSON.
#pragma once

#include <torch/types.h>

#include <vector>

namespace cuset::tests {

inline std::vector<double> numbers(const torch::Tensor& tensor) {
  const auto flat = tensor.to(torch::kFloat64).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

}  // namespace cuset::tests
