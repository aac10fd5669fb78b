// cudaMemcpy3D's copy, between arrays and plain memory.
#pragma once

#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/memory_types.h"

namespace cuset_emulator {

cudaError_t copy_3d(const cudaMemcpy3DParms& copy);

}  // namespace cuset_emulator
