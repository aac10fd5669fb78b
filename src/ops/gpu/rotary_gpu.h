// The CUDA side of the rotary embedding: raw device pointers, contiguous.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

// y = x turned by the angles (ops/rotary.h), or by the opposite ones if `inverse`: the gradient. y may be x.
void rotate_gpu(GpuType type, int64_t tokens, int64_t heads, int64_t dim,
                const void* x,        // [tokens, heads, dim]
                void* y,              // [tokens, heads, dim]
                const float* cosine,  // [tokens, dim / 2]
                const float* sine,    // [tokens, dim / 2]
                bool inverse, GpuStream stream);

}  // namespace cuset::ops
