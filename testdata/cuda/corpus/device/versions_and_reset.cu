// Versions, the current device, cudaDeviceReset and life after it: variables have their first values again.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int cell = 11;

__global__ void add(int by) { cell += by; }

int main() {
  int runtime = 0, driver = 0, device = -1, value = 0;
  if (cudaRuntimeGetVersion(&runtime) != cudaSuccess || runtime < 11000 || runtime % 10)
    return std::printf("FAIL runtime %d\n", runtime), 1;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver < runtime / 1000 * 1000)
    return std::printf("FAIL driver %d\n", driver), 1;
  if (cudaGetDevice(&device) != cudaSuccess || device != 0) return std::printf("FAIL device %d\n", device), 1;
  add<<<1, 1>>>(5);
  cudaMemcpyFromSymbol(&value, cell, sizeof(int));
  if (value != 16) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, value, 16), 1;
  if (cudaDeviceReset() != cudaSuccess) return std::puts("FAIL reset"), 1;
  add<<<1, 1>>>(100);
  if (cudaMemcpyFromSymbol(&value, cell, sizeof(int)) != cudaSuccess)
    return std::puts("FAIL copy after the reset"), 1;
  if (value != 111) return std::printf("FAIL [%d] got %d, wanted %d\n", 1, value, 111), 1;
  std::puts("PASS");
}
