// Boxes of bytes in memory: what copies and fills work on.
#pragma once

#include <cstdint>

namespace cuset_emulator {

// Rows of `pitch` bytes, slices of `slice` bytes, beginning at `address`.
struct Surface {
  uint64_t address = 0;
  uint64_t pitch = 0;
  uint64_t slice = 0;
};

struct Box {
  uint64_t width = 0;  // bytes
  uint64_t height = 1;
  uint64_t depth = 1;

  uint64_t bytes() const { return width * height * depth; }
};

// The address of a row.
inline uint64_t row_address(const Surface& surface, uint64_t y, uint64_t z) {
  return surface.address + z * surface.slice + y * surface.pitch;
}

// The rows of a box packed one after the other at `memory`.
inline Surface packed(const void* memory, const Box& box) {
  return {reinterpret_cast<uint64_t>(memory), box.width, box.width * box.height};
}

template <class Body>
void each_row(const Box& box, Body body) {
  for (uint64_t z = 0; z < box.depth; ++z) {
    for (uint64_t y = 0; y < box.height; ++y) body(y, z);
  }
}

}  // namespace cuset_emulator
