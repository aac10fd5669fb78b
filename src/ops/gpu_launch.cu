#include <cuda_runtime.h>

#include "base/error.h"
#include "ops/gpu_launch.h"

namespace cuset {

void check_gpu_launch(const char* kernel) {
  const cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) return;
  throw Error("GPU kernel {} did not launch: {}", kernel, cudaGetErrorString(status))
      .with_remedy("`cuset doctor` shows which GPU architectures this program was compiled for");
}

int gpu_multiprocessors() {
  int device = 0;
  int count = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) {
    throw Error("the GPU does not answer: {}", cudaGetErrorString(cudaGetLastError()));
  }
  return count;
}

}  // namespace cuset
