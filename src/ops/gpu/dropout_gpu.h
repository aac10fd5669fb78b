// The CUDA side of dropout: raw device pointers, contiguous rows.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

// Which elements of [rows, width] are dropped (ops/dropout.h has the formula).
struct DropoutRows {
  double probability;  // 0: nothing is dropped and row_keys may be null
  uint64_t seed;
  const int64_t* row_keys;  // [rows], on the device
  uint32_t module;
};

// y = drop(x), both [rows, width]; y may be x.
void drop_gpu(GpuType type, int64_t rows, int64_t width, const void* x, void* y, const DropoutRows& dropout,
              GpuStream stream);

}  // namespace cuset::ops
