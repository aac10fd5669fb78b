// CUB is CCCL's (docs/emulator.md).
#pragma once

#if __has_include_next(<cub/util_allocator.cuh>)
#include_next <cub/util_allocator.cuh>
#else
#error "unsupported: CUB: CCCL was not found, install the CUDA toolkit or set CUSET_CCCL"
#endif
