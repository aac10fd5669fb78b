// A CUDA array of a program whose kernels run on a GPU in another process. To the program it is memory row by row; the GPU
// has the texels in a way of its own (device_process/gpu_textures.h).
#pragma once

#include <cstdint>

#include "runtime/memory/surface.h"

namespace cuset_emulator {

struct RemoteArray {
  uint64_t address = 0;  // of an allocation of device memory, where the program has it
  uint64_t row_pitch = 0;
  uint64_t slice_pitch = 0;
  uint64_t width = 0;   // in texels
  uint64_t height = 0;  // 0 where there is no such dimension
  uint64_t depth = 0;   // the number of layers of a layered one
  uint32_t channels = 0;
  uint32_t channel_bits = 0;
  uint32_t channel_kind = 0;  // a cudaChannelFormatKind
  uint32_t flags = 0;         // as of cudaMalloc3DArray

  uint64_t rows() const { return height > 0 ? height : 1; }
  uint64_t slices() const { return depth > 0 ? depth : 1; }
  uint64_t row_bytes() const { return width * channels * channel_bits / 8; }
  uint64_t bytes() const { return slice_pitch * slices(); }
};

}  // namespace cuset_emulator
