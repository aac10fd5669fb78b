// The CUDA side of SwiGLU: h = silu(gate) * up, element by element over contiguous memory.
//
// As in Hugging Face's models, silu is rounded to the type before it is multiplied. Gradients, with
// s = sigmoid(gate): dup = dh silu(gate), dgate = dh up s (1 + gate (1 - s)).
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

void swiglu_forward_gpu(GpuType type, int64_t count, const void* gate, const void* up, void* h,
                        GpuStream stream);

// h [rows, width] of gate_up [rows, 2 width], gate first.
void swiglu_joined_gpu(GpuType type, int64_t rows, int64_t width, const void* gate_up, void* h,
                       GpuStream stream);

// dgate may be gate and dup may be up.
void swiglu_backward_gpu(GpuType type, int64_t count, const void* gate, const void* up, const void* dh,
                         void* dgate, void* dup, GpuStream stream);

}  // namespace cuset::ops
