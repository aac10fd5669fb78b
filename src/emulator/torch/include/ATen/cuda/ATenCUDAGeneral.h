// Stands in for PyTorch's own.
#pragma once

#include <ATen/cuda/CUDAContext.h>
