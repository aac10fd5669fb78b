// Stands in for PyTorch's own, whose library is built with CUDA.
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#define C10_CUDA_CHECK(call)                                               \
  do {                                                                     \
    const cudaError_t cuset_error = (call);                                \
    if (cuset_error != cudaSuccess) {                                      \
      (void)cudaGetLastError();                                            \
      TORCH_CHECK(false, "CUDA error: ", cudaGetErrorString(cuset_error)); \
    }                                                                      \
  } while (0)
#define C10_CUDA_CHECK_WARN(call) (void)(call)
#define C10_CUDA_ERROR_HANDLED(call) (call)
#define C10_CUDA_IGNORE_ERROR(call) (void)(call)
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
