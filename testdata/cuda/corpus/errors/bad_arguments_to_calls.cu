// Wrong arguments: copies with a bad kind or null, freeing what was never allocated, twice, and null.
// errors: on purpose
// kernels: 0
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int host[4] = {}, inside = 0;
  int* device = nullptr;
  cudaMalloc(&device, sizeof(host));
  cudaError_t got[8] = {
      cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice),
      cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(77)),
      cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice),
      cudaFree(nullptr),
      cudaFree(&inside),
      cudaFree(device),
      cudaFree(device),
      cudaMalloc(nullptr, 16),
  };
  const cudaError_t bad = cudaErrorInvalidValue, good = cudaSuccess;
  cudaError_t want[8] = {bad, cudaErrorInvalidMemcpyDirection, good, good, bad, good, bad, bad};
  for (int i = 0; i < 8; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  if (cudaGetLastError() != cudaErrorInvalidValue) return std::puts("FAIL the last error was not kept"), 1;
  if (cudaGetLastError() != cudaSuccess) return std::puts("FAIL reading did not clear it"), 1;
  std::puts("PASS");
}
