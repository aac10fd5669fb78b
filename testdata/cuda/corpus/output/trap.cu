// __trap ends the launch with cudaErrorLaunchFailure; the error stays.
// errors: on purpose
// check: skip the kernel traps on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stop(int* data) {
  if (threadIdx.x == 40) __trap();
  data[threadIdx.x] = 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 256);
  stop<<<1, 64>>>(data);
  cudaError_t first = cudaDeviceSynchronize();
  if (first != cudaErrorLaunchFailure) return std::printf("FAIL got %d, wanted 719\n", first), 1;
  void* more = nullptr;
  cudaError_t later = cudaMalloc(&more, 64);
  if (later != cudaErrorLaunchFailure) return std::printf("FAIL later %d, wanted 719\n", later), 1;
  std::puts("PASS");
}
