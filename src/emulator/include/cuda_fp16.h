// CUDA half precision.
#pragma once
#define __CUDA_FP16_H__  // NVIDIA's include guard

#include "cuda_runtime.h"
#include "cuset_emulator/narrow/half.h"
