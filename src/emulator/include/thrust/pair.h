// Thrust is CCCL's (docs/emulator.md).
#pragma once

#if __has_include_next(<thrust/pair.h>)
#include_next <thrust/pair.h>
#else
#error "unsupported: Thrust: CCCL was not found, install the CUDA toolkit or set CUSET_CCCL"
#endif
