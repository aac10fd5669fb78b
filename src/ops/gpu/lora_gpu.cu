// Chooses between tensor cores (bfloat16, rows of whole 16-byte groups) and plain arithmetic, and the
// kernel's variant by rank and dropout.
#include "ops/gpu/lora_gpu.h"

#include <cuda_runtime.h>

#include "ops/gpu/lora_plain.cuh"
#include "ops/gpu/lora_tensor_core.cuh"

namespace cuset::ops {
namespace {

using BFloat16 = __nv_bfloat16;

// The smallest of 1, 2, 4 and 8 tiles of eight that holds the rank.
int rank_tiles(int64_t rank) { return rank <= 8 ? 1 : rank <= 16 ? 2 : rank <= 32 ? 4 : 8; }

// Few enough for the sums to stay small, enough of them to keep every multiprocessor busy.
int64_t gradient_rows_per_part(int64_t rows, int64_t in) {
  const int64_t parts = divide_up(4LL * gpu_multiprocessors(), divide_up(in, kGradientColumns));
  return divide_up(divide_up(rows, parts), kGradientTurn) * kGradientTurn;
}

unsigned blocks_of(int64_t count, int64_t per_block) {
  return static_cast<unsigned>(divide_up(count, per_block));
}

// ---- Tensor cores

using DownKernel = void (*)(LoraShape, const BFloat16*, const BFloat16*, BFloat16*, DropoutMask);
using UpKernel = DownKernel;
using GradientKernel = void (*)(LoraShape, GradientRange, const BFloat16*, const BFloat16*, float*,
                                DropoutMask);

template <int kRowTiles, bool kDrops>
DownKernel down_kernel_of(int tiles) {
  switch (tiles) {
    case 1:
      return down_kernel<kRowTiles, 1, kDrops>;
    case 2:
      return down_kernel<kRowTiles, 2, kDrops>;
    case 4:
      return down_kernel<kRowTiles, 4, kDrops>;
    default:
      return down_kernel<1, 8, kDrops>;  // see takes_32_rows
  }
}

template <bool kAccumulate, bool kDrops>
UpKernel up_kernel_of(int tiles) {
  switch (tiles) {
    case 1:
      return up_kernel<1, kAccumulate, kDrops>;
    case 2:
      return up_kernel<2, kAccumulate, kDrops>;
    case 4:
      return up_kernel<4, kAccumulate, kDrops>;
    default:
      return up_kernel<8, kAccumulate, kDrops>;
  }
}

template <bool kDrops>
GradientKernel gradient_kernel_of(int tiles) {
  switch (tiles) {
    case 1:
      return gradient_kernel<1, kDrops>;
    case 2:
      return gradient_kernel<2, kDrops>;
    default:
      return gradient_kernel<4, kDrops>;
  }
}

// 32 rows a block read A half as often as 16, but only one such block fits a multiprocessor at a time, so it
// pays where they come out even; 64 ranks leave no registers for it.
bool takes_32_rows(const LoraShape& shape) {
  const int64_t blocks = divide_up(shape.rows, 32);
  const int64_t at_once = gpu_multiprocessors();
  return rank_tiles(shape.rank) < 8 && 4 * blocks >= 3 * divide_up(blocks, at_once) * at_once;
}

void launch_down(const LoraShape& shape, const void* x, const void* a, void* xa, const DropoutMask& mask,
                 cudaStream_t stream) {
  const bool wide = takes_32_rows(shape);
  const auto kernel_of = wide ? (mask.drops ? down_kernel_of<2, true> : down_kernel_of<2, false>)
                              : (mask.drops ? down_kernel_of<1, true> : down_kernel_of<1, false>);
  const auto kernel = kernel_of(rank_tiles(shape.rank));
  kernel<<<blocks_of(shape.rows, wide ? 32 : 16), kDownWarps * kWarp, 0, stream>>>(
      shape, static_cast<const BFloat16*>(x), static_cast<const BFloat16*>(a), static_cast<BFloat16*>(xa),
      mask);
}

void launch_up(const LoraShape& shape, const void* u, const void* a, void* dx, bool accumulate,
               const DropoutMask& mask, cudaStream_t stream) {
  const auto kernel_of = accumulate ? (mask.drops ? up_kernel_of<true, true> : up_kernel_of<true, false>)
                                    : (mask.drops ? up_kernel_of<false, true> : up_kernel_of<false, false>);
  const auto kernel = kernel_of(rank_tiles(shape.rank));
  const dim3 blocks(blocks_of(shape.rows, kUpRows), blocks_of(shape.in, kUpColumns));
  kernel<<<blocks, kUpWarps * kWarp, 0, stream>>>(shape, static_cast<const BFloat16*>(u),
                                                  static_cast<const BFloat16*>(a), static_cast<BFloat16*>(dx),
                                                  mask);
}

void launch_gradient(const LoraShape& shape, const void* u, const void* x, float* parts,
                     const DropoutMask& mask, cudaStream_t stream) {
  GradientRange range{.rows_per_part = gradient_rows_per_part(shape.rows, shape.in), .first_rank = 0};
  const dim3 blocks(blocks_of(shape.in, kGradientColumns), blocks_of(shape.rows, range.rows_per_part));
  for (; range.first_rank < shape.rank; range.first_rank += kGradientRanks) {
    const int tiles = rank_tiles(shape.rank - range.first_rank);
    const auto kernel = (mask.drops ? gradient_kernel_of<true> : gradient_kernel_of<false>)(tiles);
    kernel<<<blocks, kGradientWarps * kWarp, 0, stream>>>(shape, range, static_cast<const BFloat16*>(u),
                                                          static_cast<const BFloat16*>(x), parts, mask);
  }
}

// ---- Plain arithmetic

template <typename T>
void launch_plain_down(const LoraPlain<T>& lora, bool wide, const void* x, const void* a, void* xa,
                       cudaStream_t stream) {
  const bool drops = lora.mask.drops;
  const auto kernel = wide ? (drops ? plain_down_kernel<T, true, true> : plain_down_kernel<T, true, false>)
                           : (drops ? plain_down_kernel<T, false, true> : plain_down_kernel<T, false, false>);
  const dim3 blocks(blocks_of(lora.rows, kPlainRows), blocks_of(lora.rank, kPlainRanks));
  kernel<<<blocks, kPlainThreads, 0, stream>>>(lora, static_cast<const T*>(x), static_cast<const T*>(a),
                                               static_cast<T*>(xa));
}

template <typename T>
void launch_plain_up(const LoraPlain<T>& lora, bool wide, const void* u, const void* a, void* dx,
                     bool accumulate, cudaStream_t stream) {
  const bool drops = lora.mask.drops;
  const auto kernel = wide ? (drops ? plain_up_kernel<T, true, true> : plain_up_kernel<T, true, false>)
                           : (drops ? plain_up_kernel<T, false, true> : plain_up_kernel<T, false, false>);
  const dim3 blocks(blocks_of(lora.rows, kPlainRows), blocks_of(lora.in, 8 * kPlainThreads));
  kernel<<<blocks, kPlainThreads, 0, stream>>>(lora, static_cast<const T*>(u), static_cast<const T*>(a),
                                               static_cast<T*>(dx), accumulate);
}

template <typename T>
void launch_plain_gradient(const LoraPlain<T>& lora, bool wide, const void* u, const void* x, float* parts,
                           cudaStream_t stream) {
  const bool drops = lora.mask.drops;
  const auto kernel =
      wide ? (drops ? plain_gradient_kernel<T, true, true> : plain_gradient_kernel<T, true, false>)
           : (drops ? plain_gradient_kernel<T, false, true> : plain_gradient_kernel<T, false, false>);
  const int64_t rows_per_part = gradient_rows_per_part(lora.rows, lora.in);
  const dim3 blocks(blocks_of(lora.in, 8 * kPlainThreads), blocks_of(lora.rows, rows_per_part),
                    blocks_of(lora.rank, kPlainRanks));
  kernel<<<blocks, kPlainThreads, 0, stream>>>(lora, rows_per_part, static_cast<const T*>(u),
                                               static_cast<const T*>(x), parts);
}

}  // namespace

void lora_down_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank, const void* x, const void* a,
                   void* xa, const DropoutRows& dropout, GpuStream gpu_stream) {
  if (rows == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const auto mask = dropout_mask(dropout);
  const auto narrow_rank = static_cast<int>(rank);
  const bool wide = in % 8 == 0 && are_16_byte_aligned(x, a);
  if (wide && type == GpuType::kBFloat16) {
    launch_down({rows, in, narrow_rank}, x, a, xa, mask, stream);
  } else if (type == GpuType::kBFloat16) {
    launch_plain_down<BFloat16>({rows, in, narrow_rank, mask}, wide, x, a, xa, stream);
  } else {
    launch_plain_down<float>({rows, in, narrow_rank, mask}, wide, x, a, xa, stream);
  }
  check_gpu_launch("lora_down");
}

void lora_up_masked_add_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank, const void* u,
                            const void* a, void* dx, bool accumulate, const DropoutRows& dropout,
                            GpuStream gpu_stream) {
  if (rows == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const auto mask = dropout_mask(dropout);
  const auto narrow_rank = static_cast<int>(rank);
  const bool wide = in % 8 == 0 && are_16_byte_aligned(u, a, dx);
  if (wide && type == GpuType::kBFloat16) {
    launch_up({rows, in, narrow_rank}, u, a, dx, accumulate, mask, stream);
  } else if (type == GpuType::kBFloat16) {
    launch_plain_up<BFloat16>({rows, in, narrow_rank, mask}, wide, u, a, dx, accumulate, stream);
  } else {
    launch_plain_up<float>({rows, in, narrow_rank, mask}, wide, u, a, dx, accumulate, stream);
  }
  check_gpu_launch("lora_up_masked_add");
}

int64_t lora_a_gradient_parts(int64_t rows, int64_t in, int64_t /*rank*/) {
  return rows == 0 ? 0 : divide_up(rows, gradient_rows_per_part(rows, in));
}

void lora_a_gradient_gpu(GpuType type, int64_t rows, int64_t in, int64_t rank, const void* u, const void* x,
                         float* parts, const DropoutRows& dropout, GpuStream gpu_stream) {
  if (rows == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const auto mask = dropout_mask(dropout);
  const auto narrow_rank = static_cast<int>(rank);
  const bool wide = in % 8 == 0 && are_16_byte_aligned(x, parts);
  if (wide && type == GpuType::kBFloat16) {
    launch_gradient({rows, in, narrow_rank}, u, x, parts, mask, stream);
  } else if (type == GpuType::kBFloat16) {
    launch_plain_gradient<BFloat16>({rows, in, narrow_rank, mask}, wide, u, x, parts, stream);
  } else {
    launch_plain_gradient<float>({rows, in, narrow_rank, mask}, wide, u, x, parts, stream);
  }
  check_gpu_launch("lora_a_gradient");
}

}  // namespace cuset::ops
