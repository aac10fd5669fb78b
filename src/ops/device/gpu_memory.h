// Memory of the device that tensors live on. Free of LibTorch headers.
#pragma once

#include <cstdint>

namespace cuset::ops {

// The most bytes that LibTorch has had in use on GPU `gpu` since the last reset; 0 without a GPU.
uint64_t peak_gpu_memory(int gpu);
void reset_peak_gpu_memory(int gpu);

// Waits until the GPU has done all it was given; returns at once without one.
void wait_for_gpu();

// Physical memory of this machine.
uint64_t main_memory();

}  // namespace cuset::ops
