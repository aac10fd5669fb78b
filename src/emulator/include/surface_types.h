// A public name of CUDA; everything is in cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
