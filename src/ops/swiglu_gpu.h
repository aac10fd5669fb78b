// The CUDA side of swiglu: raw device pointers, contiguous elements.
#pragma once

#include <cstdint>

#include "ops/gpu_launch.h"

namespace cuset {

// h = silu(gate) * up.
void swiglu_forward_gpu(GpuType type, int64_t count, const void* gate, const void* up, void* h,
                        GpuStream stream);

// dgate may be gate, dup may be up.
void swiglu_backward_gpu(GpuType type, int64_t count, const void* gate, const void* up, const void* dh,
                         void* dgate, void* dup, GpuStream stream);

}  // namespace cuset
