// Asynchronous copies of a single thread. They happen at once, so committing and waiting have nothing left to
// do.
#pragma once

#include "cuda_runtime.h"

// The last `zero_bytes` of the target become 0 instead of being copied.
CUSET_DEVICE_FUNCTION void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                                   size_t bytes, size_t zero_bytes = 0) {
  memcpy(to, from, bytes - zero_bytes);
  if (zero_bytes > 0) memset(static_cast<char*>(to) + (bytes - zero_bytes), 0, zero_bytes);
}
CUSET_DEVICE_FUNCTION void __pipeline_commit() {}
CUSET_DEVICE_FUNCTION void __pipeline_wait_prior(size_t) {}
