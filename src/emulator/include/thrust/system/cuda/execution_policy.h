// Thrust is CCCL's (docs/emulator.md).
#pragma once

#if __has_include_next(<thrust/system/cuda/execution_policy.h>)
#include_next <thrust/system/cuda/execution_policy.h>
#else
#error "unsupported: Thrust: CCCL was not found, install the CUDA toolkit or set CUSET_CCCL"
#endif
