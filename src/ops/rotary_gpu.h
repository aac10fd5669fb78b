// The CUDA side of the rotary embedding: raw device pointers, contiguous tensors.
#pragma once

#include <cstdint>

#include "ops/gpu_launch.h"

namespace cuset {

// y = x turned by the angles, or back where `inverse`; both [tokens, heads, dim], cosine and sine [tokens,
// dim / 2].
void rotate_gpu(GpuType type, int64_t tokens, int64_t heads, int64_t dim, const void* x, void* y,
                const float* cosine, const float* sine, bool inverse, GpuStream stream);

}  // namespace cuset
