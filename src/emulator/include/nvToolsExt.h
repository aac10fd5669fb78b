// NVTX by its former name.
#pragma once

#include "nvtx3/nvToolsExt.h"
