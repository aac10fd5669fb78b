// The CUDA side of the language-model head: what is known of a row of logits, and the gradient of -log p
// written over it.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

struct LinearCrossEntropyGpu {
  GpuType type;  // of z
  int64_t rows;
  int64_t vocab;
  void* z;                      // [rows, vocab] logits; becomes softmax(z) - onehot(target) if write_gradient
  const int64_t* targets;       // [rows]
  float* log_probability;       // [rows], of the target
  float* best_log_probability;  // [rows], of the likeliest column
  bool* is_likeliest;           // [rows], the target is the first of the likeliest columns
  bool write_gradient;
};

// A NaN or +infinite logit, or a target outside the vocabulary, makes the row's log_probability NaN;
// -infinite logits have probability 0.
void linear_cross_entropy_gpu(const LinearCrossEntropyGpu& head, GpuStream stream);

}  // namespace cuset::ops
