// CUDA bfloat16.
#pragma once

#include "cuda_runtime.h"
#include "cuset_emulator/narrow/bfloat16.h"
