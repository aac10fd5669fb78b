// The CUDA side of the head: what objectives need of a chunk of logits, in one read and one write.
#pragma once

#include <cstdint>

#include "ops/gpu_launch.h"

namespace cuset {

struct HeadRowsGpu {
  GpuType type;
  int64_t rows;
  int64_t vocab;
  void* z;                 // [rows, vocab] logits, replaced by softmax - onehot(target) where write_gradient
  const int64_t* targets;  // [rows]
  float* log_probability;  // [rows] out
  uint8_t* is_best;        // [rows] out, bool: no logit is larger than the target's
  bool write_gradient;
};

void head_rows_gpu(const HeadRowsGpu& rows, GpuStream stream);

}  // namespace cuset
