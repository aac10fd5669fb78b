// atomicAdd on float and double: exact sums in any order, with values that need no rounding.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(float* single, double* wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(single, (i % 8) * 0.25f);
  atomicAdd(wide, i * 0.5);
  atomicAdd(&wide[1 + i % 3], -1.0);
}

int main() {
  float single = 0;
  double wide[4] = {};
  float* device_single;
  cudaMalloc(&device_single, sizeof(float));
  double* device_wide;
  cudaMalloc(&device_wide, sizeof(wide));
  cudaMemset(device_single, 0, sizeof(float));
  cudaMemset(device_wide, 0, sizeof(wide));
  add<<<60, 100>>>(device_single, device_wide);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&single, device_single, sizeof(single), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, device_wide, sizeof(wide), cudaMemcpyDeviceToHost);
  if (single != 5250.0f) return std::printf("FAIL float %g, wanted 5250\n", single), 1;
  double want[4] = {5999.0 * 6000 / 4, -2000, -2000, -2000};
  for (int i = 0; i < 4; ++i)
    if (wide[i] != want[i]) return std::printf("FAIL [%d] got %g, wanted %g\n", i, wide[i], want[i]), 1;
  std::puts("PASS");
}
