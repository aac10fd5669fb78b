#include <cuda_runtime.h>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

const char* take_gpu_error() {
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

int count_gpu_multiprocessors() {
  int device = 0;
  int count = 0;
  const bool answered = cudaGetDevice(&device) == cudaSuccess &&
                        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) == cudaSuccess;
  return answered ? count : 0;
}

}  // namespace cuset::ops
