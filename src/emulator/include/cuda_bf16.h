// CUDA bfloat16.
#pragma once
#define __CUDA_BF16_H__  // NVIDIA's include guard

#include "cuda_runtime.h"
#include "cuset_emulator/narrow/bfloat16.h"
