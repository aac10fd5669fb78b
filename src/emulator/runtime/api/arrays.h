// cudaArray: texels in rows, rows in slices or layers, in device memory. A GPU arranges them in a way of its
// own; here they lie row by row.
#pragma once

#include <cstdint>
#include <optional>

#include "cuset_emulator/texture_types.h"
#include "runtime/api/copy.h"

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // in texels, 0 where there is no such dimension
  unsigned flags;
  uint32_t texel_bytes;
  uint64_t address;
  uint64_t row_pitch;
  uint64_t slice_pitch;

  uint64_t rows() const { return extent.height > 0 ? extent.height : 1; }
  uint64_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
  uint64_t row_bytes() const { return extent.width * texel_bytes; }
};

namespace cuset_emulator {

struct TexelFormat {
  uint32_t channels = 0;      // 1, 2 or 4
  uint32_t channel_bits = 0;  // 8, 16 or 32
  uint32_t bytes() const { return channels * channel_bits / 8; }
};
// None if no texel looks like that.
std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format);

// The array of a handle, null if it is none that lives.
cudaArray* find_array(cudaArray_const_t handle);

// Where byte x of row y of slice z lies; none if a box from there leaves the array.
struct ArrayPlace {
  uint64_t x = 0, y = 0, z = 0;
};
std::optional<Surface> part_of(const cudaArray& array, const ArrayPlace& place, const Box& box);

}  // namespace cuset_emulator
