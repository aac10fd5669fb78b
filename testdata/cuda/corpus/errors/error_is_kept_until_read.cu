// An error of one call is kept by cudaGetLastError through later calls that succeed.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
  void* memory = nullptr;
  cudaError_t at_once = cudaMemset(nullptr, 0, 64);
  if (at_once != cudaErrorInvalidValue) return std::printf("FAIL setting null gave %d\n", at_once), 1;
  if (cudaMalloc(&memory, 64) != cudaSuccess) return std::puts("FAIL allocation"), 1;
  cudaError_t peeked = cudaPeekAtLastError();
  if (peeked != at_once) return std::printf("FAIL peek %d, wanted %d\n", peeked, at_once), 1;
  nothing<<<1, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL the error is not sticky"), 1;
  if (cudaGetLastError() != at_once) return std::puts("FAIL get"), 1;
  if (cudaPeekAtLastError() != cudaSuccess) return std::puts("FAIL reading did not clear it"), 1;
  std::puts("PASS");
}
