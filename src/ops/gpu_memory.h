// Memory of the GPU that LibTorch's allocator has handed out. Free of LibTorch headers, so that any room may
// include it.
#pragma once

#include <cstdint>

namespace cuset {

// The most bytes in use at once since the last reset; 0 without a GPU.
uint64_t peak_gpu_bytes(int device = 0);
void reset_peak_gpu_bytes(int device = 0);

// Waits until the GPU has done all it was given; returns at once without one.
void wait_for_gpu();

}  // namespace cuset
