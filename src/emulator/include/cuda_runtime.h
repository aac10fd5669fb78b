// CUDA's runtime as the emulator serves it: what every .cu file sees before its own first line.
#pragma once

#ifndef __cplusplus
#error "unsupported: CUDA's headers in C (name the source .cpp, or -x cu)"
#endif

#include "cuset_emulator/include_guards.h"
#include "cuset_emulator/qualifiers.h"

#include "cuset_emulator/c_library.h"

#include "cuset_emulator/abi.h"
#include "cuset_emulator/atomics.h"
#include "cuset_emulator/builtin_variables.h"
#include "cuset_emulator/clusters.h"
#include "cuset_emulator/conversion_intrinsics.h"
#include "cuset_emulator/device_memory.h"
#include "cuset_emulator/device_runtime.h"
#include "cuset_emulator/dpx_intrinsics.h"
#include "cuset_emulator/float_intrinsics.h"
#include "cuset_emulator/graph_api.h"
#include "cuset_emulator/host_api.h"
#include "cuset_emulator/host_templates.h"
#include "cuset_emulator/integer_intrinsics.h"
#include "cuset_emulator/math_error_functions.h"
#include "cuset_emulator/math_functions.h"
#include "cuset_emulator/memory_api.h"
#include "cuset_emulator/min_max.h"
#include "cuset_emulator/simd_intrinsics.h"
#include "cuset_emulator/small_floats.h"
#include "cuset_emulator/surfaces.h"
#include "cuset_emulator/synchronization.h"
#include "cuset_emulator/texture_api.h"
#include "cuset_emulator/texture_object.h"
#include "cuset_emulator/textures.h"
#include "cuset_emulator/unserved_api.h"
#include "cuset_emulator/vector_functions.h"
#include "cuset_emulator/warp.h"
