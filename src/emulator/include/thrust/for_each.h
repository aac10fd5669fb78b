// Thrust is CCCL's (docs/emulator.md).
#pragma once

#if __has_include_next(<thrust/for_each.h>)
#include_next <thrust/for_each.h>
#else
#error "unsupported: Thrust: CCCL was not found, install the CUDA toolkit or set CUSET_CCCL"
#endif
