// Who counts the kernels of a program that runs on a GPU: CUPTI through our injected library where that works
// on this machine, else our library in front of the shared CUDA runtime. See docs/verdicts.md.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "execute/build/nvcc_compiler.h"
#include "execute/gpu/gpu_search.h"

namespace cuset::execute {

struct KernelRecorder {
  std::string name;                                // "cupti", "interposed runtime"
  std::map<std::string, std::string> environment;  // what a program needs to be recorded
  std::vector<std::filesystem::path> readable;     // what it must be able to read for that
  bool shared_runtime = false;                     // it must be linked with the shared CUDA runtime
};

// CUPTI is taken if a trial kernel on GPU `index` is recorded through it. Throws Error where neither way is
// open.
KernelRecorder choose_kernel_recorder(const NvccToolkit& toolkit, int index);

// $CUSET_CUPTI_LIBRARY, else libcupti of the toolkit; empty where it has none.
std::filesystem::path find_cupti_library(const NvccToolkit& toolkit);

}  // namespace cuset::execute
