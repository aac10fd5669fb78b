// NVTX's names for objects of the driver API, and for no profiler.
#pragma once

#include "nvtx3/nvToolsExt.h"
