// What CUDA sources and their callers share: element types, the stream, and the check after every launch.
// CUDA sources include neither LibTorch nor fmt (nvcc cannot read every version of fmt), so gpu_launch.cu
// asks the CUDA runtime and gpu_launch.cc turns its answers into errors.
#pragma once

namespace cuset::ops {

enum class GpuType { kFloat32, kBFloat16 };

// A cudaStream_t, unnamed here.
using GpuStream = void*;

// Throws Error naming `kernel` if its launch failed. Does not wait for the kernel.
void check_gpu_launch(const char* kernel);

// Multiprocessors of the current GPU. Throws Error if it does not answer.
int gpu_multiprocessors();

// The message of the last failed CUDA call, which is then forgotten; null if none failed.
const char* take_gpu_error();

// As gpu_multiprocessors, but 0 if the GPU does not answer.
int count_gpu_multiprocessors();

}  // namespace cuset::ops
