// What tensors run on: the LibTorch in use, its GPUs, and the CUDA kernels compiled into this program.
// Free of LibTorch headers, so that any module may include it.
#pragma once

#include <string>
#include <vector>

#include "base/machine/gpu.h"

namespace cuset::ops {

struct TensorBackend {
  std::string libtorch_version;       // "2.13.0"
  std::string libtorch_cuda_version;  // "13.0"; empty for a CPU-only LibTorch
  std::string cpu_capability;         // the widest vector instructions LibTorch uses, as "AVX2"
  int cpu_threads = 0;
  std::string kernel_cuda_version;   // of the nvcc that compiled ops/gpu/; empty if none did
  std::string kernel_architectures;  // "80-real 90"; empty if none
  std::vector<base::GpuInfo> gpus;   // those LibTorch sees; their drivers are not asked
};

// Asks LibTorch; the first call may take a second while a GPU starts.
TensorBackend describe_tensor_backend();

// True where our CUDA kernels were compiled in and LibTorch sees a GPU.
bool gpu_kernels_usable();

}  // namespace cuset::ops
