// The CUDA side of ops/rms_norm.h: raw device pointers, contiguous rows.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

struct RmsNormRows {
  GpuType type;  // of x, weight, y and their gradients
  int64_t rows;
  int64_t width;
  const void* x;       // [rows, width]
  const void* weight;  // [width]
  float* scale;        // [rows], r of every row: written by forward, read by backward
};

void rms_norm_forward_gpu(const RmsNormRows& rows, float epsilon, void* y /* [rows, width] */,
                          GpuStream stream);

// How many partial sums backward makes of the weight's gradient.
int rms_norm_weight_parts(int64_t rows);

// `weight_parts` [rms_norm_weight_parts, width] float32 receives partial sums to be added up; null skips
// them.
void rms_norm_backward_gpu(const RmsNormRows& rows, const void* dy, void* dx, float* weight_parts,
                           GpuStream stream);

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
