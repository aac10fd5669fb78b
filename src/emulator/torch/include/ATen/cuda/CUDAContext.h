// Stands in for PyTorch's own. Handles of CUDA's libraries are not served.
#pragma once

#include <ATen/Context.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

namespace at::cuda {

inline int64_t getNumGPUs() { return 1; }
inline bool is_available() { return true; }
inline int warp_size() { return 32; }

inline cudaDeviceProp* getDeviceProperties(c10::DeviceIndex) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp found;
    C10_CUDA_CHECK(cudaGetDeviceProperties(&found, 0));
    return found;
  }();
  return &properties;
}
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(0); }

#define CUSET_UNSERVED(name, text) void* name() __attribute__((unavailable("unsupported: " text)));
CUSET_UNSERVED(getCurrentCUDABlasHandle, "cuBLAS")
CUSET_UNSERVED(getCurrentCUDABlasLtHandle, "cuBLASLt")
CUSET_UNSERVED(getCurrentCUDASparseHandle, "cuSPARSE")
CUSET_UNSERVED(getCurrentCUDASolverDnHandle, "cuSOLVER")
CUSET_UNSERVED(getCUDADeviceAllocator, "PyTorch's CUDA allocator")
#undef CUSET_UNSERVED

}  // namespace at::cuda
