// The CUDA side of dropout: raw device pointers, contiguous rows. ops/dropout.h defines the mask.
#pragma once

#include <cstdint>

#include "ops/gpu_launch.h"

namespace cuset {

// The mask of one module over rows of activations.
struct DropoutRows {
  double probability = 0;  // 0: nothing is dropped and row_keys may be null
  uint64_t seed = 0;
  const int64_t* row_keys = nullptr;  // [rows]
  uint32_t module = 0;
};

// y = drop(x), both [rows, width]; y may be x.
void drop_gpu(GpuType type, int64_t rows, int64_t width, const void* x, void* y, const DropoutRows& dropout,
              GpuStream stream);

}  // namespace cuset
