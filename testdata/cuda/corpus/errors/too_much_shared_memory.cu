// Shared memory beyond the limits: launch and opt-in fail with cudaErrorInvalidValue.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void use(int* out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = memory[threadIdx.x];
}

int main() {
  int got[32] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  use<<<1, 32, 50 * 1024>>>(out);
  cudaError_t error = cudaGetLastError();
  if (error != cudaErrorInvalidValue) return std::printf("FAIL launch gave %d\n", error), 1;
  error = cudaFuncSetAttribute(use, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
  if (error != cudaErrorInvalidValue) return std::printf("FAIL opt-in gave %d\n", error), 1;
  cudaGetLastError();
  use<<<1, 32, 48 * 1024>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i), 1;
  std::puts("PASS");
}
