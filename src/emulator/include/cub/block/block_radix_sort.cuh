// CUB is CCCL's (docs/emulator.md).
#pragma once

#if __has_include_next(<cub/block/block_radix_sort.cuh>)
#include_next <cub/block/block_radix_sort.cuh>
#else
#error "unsupported: CUB: CCCL was not found, install the CUDA toolkit or set CUSET_CCCL"
#endif
