// Stands in for PyTorch's own <torch/types.h> when answers are compiled: tensors with all their methods and the usual
// factories, without the two thousand functions of ATen, which take most of a build's time (docs/benchmarks.md). A
// source that needs more does not compile and is compiled again with PyTorch's own.
#pragma once

#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/full_like_ops.h>
#include <ATen/ops/full_ops.h>
#include <ATen/ops/ones_like_ops.h>
#include <ATen/ops/ones_ops.h>
#include <ATen/ops/zeros_like_ops.h>
#include <ATen/ops/zeros_ops.h>
#include <c10/core/TensorOptions.h>

#include <optional>

namespace torch {

using namespace at;
using std::nullopt;
using std::optional;

using Dtype = at::ScalarType;
constexpr auto kUInt8 = at::kByte;
constexpr auto kInt8 = at::kChar;
constexpr auto kInt16 = at::kShort;
constexpr auto kInt32 = at::kInt;
constexpr auto kInt64 = at::kLong;
constexpr auto kFloat16 = at::kHalf;
constexpr auto kFloat32 = at::kFloat;
constexpr auto kFloat64 = at::kDouble;

#define CUSET_OPTIONS                                                                            \
  c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(), options.device_opt(), \
      options.pinned_memory_opt()
#define CUSET_FACTORY(name)                                                      \
  inline at::Tensor name(at::IntArrayRef size, at::TensorOptions options = {}) { \
    return at::_ops::name::call(c10::fromIntArrayRefSlow(size), CUSET_OPTIONS);  \
  }
#define CUSET_FACTORY_LIKE(name)                                                   \
  inline at::Tensor name(const at::Tensor& self, at::TensorOptions options = {}) { \
    return at::_ops::name::call(self, CUSET_OPTIONS, options.memory_format_opt()); \
  }

CUSET_FACTORY(zeros)
CUSET_FACTORY(ones)
CUSET_FACTORY_LIKE(empty_like)
CUSET_FACTORY_LIKE(zeros_like)
CUSET_FACTORY_LIKE(ones_like)

inline at::Tensor empty(at::IntArrayRef size, at::TensorOptions options = {}) {
  return at::_ops::empty_memory_format::call(c10::fromIntArrayRefSlow(size), CUSET_OPTIONS,
                                             options.memory_format_opt());
}

inline at::Tensor full(at::IntArrayRef size, const at::Scalar& value, at::TensorOptions options = {}) {
  return at::_ops::full::call(c10::fromIntArrayRefSlow(size), value, CUSET_OPTIONS);
}

inline at::Tensor full_like(const at::Tensor& self, const at::Scalar& value, at::TensorOptions options = {}) {
  return at::_ops::full_like::call(self, value, CUSET_OPTIONS, options.memory_format_opt());
}

#undef CUSET_FACTORY
#undef CUSET_FACTORY_LIKE
#undef CUSET_OPTIONS

}  // namespace torch
