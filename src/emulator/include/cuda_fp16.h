// CUDA half precision.
#pragma once

#include "cuda_runtime.h"
#include "cuset_emulator/narrow/half.h"
