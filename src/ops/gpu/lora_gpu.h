// The CUDA side of low-rank adapters (ops/linear.h has the formulas): the three products that touch a wide
// activation, each in one pass over it, with dropout drawn in registers. Raw device pointers, contiguous
// rows, rank 1 .. kLoraGpuRank.
//
// The factor of dropout, 1 / (1 - p), is applied to sums in float32; drop(x) is never rounded.
#pragma once

#include <cstdint>

#include "ops/gpu/dropout_gpu.h"
#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

inline constexpr int64_t kLoraGpuRank = 64;

// xa = drop(x) A^T.
void lora_down_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank,
                   const void* x,  // [rows, in]
                   const void* a,  // [rank, in]
                   void* xa,       // [rows, rank]
                   const DropoutRows& dropout, GpuStream stream);

// dx = drop(u A), added to what dx holds if `accumulate`.
void lora_up_masked_add_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank,
                            const void* u,  // [rows, rank]
                            const void* a,  // [rank, in]
                            void* dx,       // [rows, in]
                            bool accumulate, const DropoutRows& dropout, GpuStream stream);

// How many partial sums lora_a_gradient_gpu makes; 0 for no rows.
int64_t lora_a_gradient_parts(int64_t rows, int64_t in, int64_t rank);

// parts = u^T drop(x) over as many ranges of rows. Every value of `parts` is written; the same input gives
// the same bits.
void lora_a_gradient_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank,
                         const void* u,  // [rows, rank]
                         const void* x,  // [rows, in]
                         float* parts,   // [lora_a_gradient_parts, rank, in]
                         const DropoutRows& dropout, GpuStream stream);

}  // namespace cuset::ops
