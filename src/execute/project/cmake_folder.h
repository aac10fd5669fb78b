// What a CMakeLists.txt would build: `cmake` configures it, and the commands that it wrote for make are read. No toolkit is
// needed: CUDA's compiler and the packages CUDAToolkit, CUDA and CCCL are declared beforehand. CMake 3.24 or later.
#pragma once

#include "execute/project/make_folder.h"

namespace cuset::execute {

// Those of all targets.
BuildAnswer ask_cmake(const BuildTools& tools);

}  // namespace cuset::execute
