// The native oracles that come with CuSeT, one function each; docs/tasks.md describes them. Each computes in
// float64 from the inputs' exact values, with compensated sums or sums of short pieces, and throws Error
// (through NativeCall) for operands or parameters that do not fit.
#pragma once

#include <vector>

#include "tasks/oracles/native_call.h"

namespace cuset::tasks {

using NativeResults = std::vector<Tensor>;  // one for each output

// native_map.cc: formulas.
NativeResults map_oracle(const NativeCall& call);
NativeResults loops_oracle(const NativeCall& call);
// The formula of the parameter `then`, applied to the first result; see docs/tasks.md.
Tensor apply_then(const NativeCall& call, Tensor result);

// native_reduce.cc
NativeResults reduce_oracle(const NativeCall& call);
// `row` is not empty, `op` one that "reduce" knows.
double reduce_row(const std::string& op, std::span<const double> row, double correction);

// native_matmul.cc
NativeResults matmul_oracle(const NativeCall& call);

// native_normalize.cc
NativeResults softmax_oracle(const NativeCall& call);
NativeResults log_softmax_oracle(const NativeCall& call);
NativeResults layer_norm_oracle(const NativeCall& call);
NativeResults rms_norm_oracle(const NativeCall& call);

// native_order.cc: numbers put into other places.
NativeResults transpose_oracle(const NativeCall& call);
NativeResults gather_oracle(const NativeCall& call);
NativeResults scatter_oracle(const NativeCall& call);
NativeResults sort_oracle(const NativeCall& call);
NativeResults reshape_oracle(const NativeCall& call);
NativeResults triangle_oracle(const NativeCall& call);

// native_count.cc
NativeResults prefix_sum_oracle(const NativeCall& call);
NativeResults scan_oracle(const NativeCall& call);
NativeResults recurrence_oracle(const NativeCall& call);
NativeResults histogram_oracle(const NativeCall& call);

// native_convolution.cc
NativeResults conv1d_oracle(const NativeCall& call);
NativeResults conv2d_oracle(const NativeCall& call);
NativeResults conv3d_oracle(const NativeCall& call);

// native_transposed.cc
NativeResults conv_transpose1d_oracle(const NativeCall& call);

// native_pool.cc
NativeResults pool1d_oracle(const NativeCall& call);
NativeResults pool2d_oracle(const NativeCall& call);
NativeResults pool3d_oracle(const NativeCall& call);

// native_loss.cc
NativeResults cross_entropy_oracle(const NativeCall& call);
NativeResults mse_oracle(const NativeCall& call);

// native_chain.cc: oracles one after the other.
NativeResults chain_oracle(const NativeCall& call);

}  // namespace cuset::tasks
