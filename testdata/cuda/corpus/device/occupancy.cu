// Occupancy calls: a suggested block size that works, and fewer blocks with more shared memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(float* data, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) data[i] *= 3;
}

int main() {
  int grid = 0, block = 0, light = 0, heavy = 0;
  if (cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0) != cudaSuccess)
    return std::puts("FAIL call"), 1;
  if (grid < 1 || block < 32 || block > 1024 || block % 32)
    return std::printf("FAIL %d blocks of %d\n", grid, block), 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&light, scale, 128, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&heavy, scale, 128, 48 * 1024);
  if (heavy < 1 || light < heavy || light > 32 || heavy > 4)
    return std::printf("FAIL %d and %d blocks\n", light, heavy), 1;
  static float values[10000];
  for (int i = 0; i < 10000; ++i) values[i] = i;
  float* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  scale<<<grid, block>>>(data, 10000);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10000; ++i)
    if (values[i] != i * 3.0f) return std::printf("FAIL [%d] got %g, wanted %g\n", i, values[i], i * 3.0f), 1;
  std::puts("PASS");
}
