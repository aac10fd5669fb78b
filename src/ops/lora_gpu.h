// The CUDA side of low-rank adapters: products with a small rank, with the dropout of the input drawn on the
// fly instead of stored. Raw device pointers, contiguous rows; all tensors but sums of gradients are of one
// type.
#pragma once

#include <cstdint>

#include "ops/dropout_gpu.h"
#include "ops/gpu_launch.h"

namespace cuset {

inline constexpr int64_t kMaxLoraGpuRank = 64;

struct LoraGpuShape {
  GpuType type;
  int64_t rows;
  int64_t in;
  int64_t rank;  // at most kMaxLoraGpuRank
};

// xa [rows, rank] = drop(x) A^T, with x [rows, in] and a [rank, in].
void lora_down_gpu(const LoraGpuShape& shape, const void* x, const void* a, void* xa,
                   const DropoutRows& dropout, GpuStream stream);

// dx [rows, in] = (accumulate ? dx : 0) + drop(u A), with u [rows, rank].
void lora_up_masked_add_gpu(const LoraGpuShape& shape, const void* u, const void* a, void* dx,
                            bool accumulate, const DropoutRows& dropout, GpuStream stream);

// Into how many partial sums lora_a_gradient_gpu divides its rows.
int64_t lora_a_gradient_parts(const LoraGpuShape& shape);

// parts [lora_a_gradient_parts, rank, in]: partial sums over rows of u^T drop(x), to be added up.
void lora_a_gradient_gpu(const LoraGpuShape& shape, const void* u, const void* x, float* parts,
                         const DropoutRows& dropout, GpuStream stream);

}  // namespace cuset
