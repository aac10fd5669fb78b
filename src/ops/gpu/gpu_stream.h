// The GPU stream that LibTorch works on, for launching our own kernels between its operations.
#pragma once

#include <torch/types.h>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

// The current stream of the tensor's device. The tensor must be on a GPU.
GpuStream current_gpu_stream(const torch::Tensor& tensor);

// The element type as our kernels name it. Throws Error for types they do not have; `operation` opens the
// message.
GpuType gpu_type_of(const torch::Tensor& tensor, const char* operation);

// True if our kernels can take this tensor: on a GPU, of a type they have, and compiled in.
bool has_gpu_kernel(const torch::Tensor& tensor);

}  // namespace cuset::ops
