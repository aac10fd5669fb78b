// A device that is not there, a symbol copy beyond the symbol's end, an attribute that does not exist.
// errors: on purpose
// kernels: 0
#include <cuda_runtime.h>

#include <cstdio>

__device__ int cells[4];

int main() {
  int host[8] = {}, count = 0, value = 0, current = -1;
  cudaGetDeviceCount(&count);
  if (count < 1) return std::puts("FAIL no device"), 1;
  cudaError_t got[6] = {cudaSetDevice(count),
                        cudaSetDevice(-1),
                        cudaSetDevice(0),
                        cudaMemcpyToSymbol(cells, host, sizeof(host)),
                        cudaMemcpyToSymbol(cells, host, 16, 0),
                        cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0)};
  cudaError_t want[6] = {
      cudaErrorInvalidDevice, cudaErrorInvalidDevice, cudaSuccess, cudaErrorInvalidValue, cudaSuccess,
      cudaErrorInvalidValue};
  for (int i = 0; i < 6; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  cudaGetDevice(&current);
  if (current != 0) return std::printf("FAIL [%d] got %d, wanted %d\n", 6, current, 0), 1;
  std::puts("PASS");
}
