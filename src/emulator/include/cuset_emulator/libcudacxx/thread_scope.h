// cuda::thread_scope and cuda::aligned_size_t. On one machine all scopes are served alike.
#pragma once

#include "cuda_runtime.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

// A number of bytes whose addresses are promised to be aligned.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

}  // namespace cuda
