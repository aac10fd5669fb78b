// Copies and fills of boxes of bytes between host and device, with the checks of CUDA's unified addressing:
// what a pointer is decides, and it must fit the direction the program names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuset_emulator/memory_api.h"
#include "runtime/memory/surface.h"

namespace cuset_emulator {

// cudaErrorInvalidValue if memory of the wrong side is named or a row lies outside its allocation,
// cudaErrorInvalidMemcpyDirection for a kind that is none, cudaErrorInvalidPitchValue for rows wider than
// their pitch.
cudaError_t copy_box(const Surface& to, const Surface& from, const Box& box, cudaMemcpyKind kind);
cudaError_t fill_box(const Surface& to, const Box& box, int value);

// What these would return, without doing it.
cudaError_t check_copy(const Surface& to, const Surface& from, const Box& box, cudaMemcpyKind kind);
cudaError_t check_fill(const Surface& to, const Box& box);

// Host memory that is neither pinned nor managed: copies of it are done when the call returns, streams or not.
bool is_pageable(const void* memory);

inline cudaError_t copy_bytes(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_box({reinterpret_cast<uint64_t>(to), bytes, bytes},
                  {reinterpret_cast<uint64_t>(from), bytes, bytes}, {bytes}, kind);
}

}  // namespace cuset_emulator
