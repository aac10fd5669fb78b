// A public name of CUDA; everything is in cuda_runtime.h.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__  // NVIDIA's include guard

#include "cuda_runtime.h"
