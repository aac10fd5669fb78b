// What CUDA sources and their callers share: element types, the stream, and the check after every launch.
// Free of LibTorch and CUDA headers, so that both compilers read it.
#pragma once

namespace cuset {

enum class GpuType { kFloat32, kBFloat16 };

// A cudaStream_t, unnamed here.
using GpuStream = void*;

// Throws Error naming `kernel` if its launch failed. Does not wait for the kernel.
void check_gpu_launch(const char* kernel);

// Multiprocessors of the current GPU.
int gpu_multiprocessors();

}  // namespace cuset
