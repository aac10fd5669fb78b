// The CUDA side of residual_norm (ops/residual_norm.h): raw device pointers, contiguous rows.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

struct ResidualNormRows {
  GpuType type;
  int64_t rows;
  int64_t width;
  void* x;             // [rows, width], becomes x + delta
  const void* delta;   // [rows, width]
  const void* weight;  // [width]
  float epsilon;
};

void residual_norm_gpu(const ResidualNormRows& rows, void* y /* [rows, width] */, GpuStream stream);

}  // namespace cuset::ops
