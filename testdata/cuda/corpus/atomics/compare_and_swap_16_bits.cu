// atomicCAS on unsigned short: the other half of the 32-bit word stays as it is.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(unsigned short* cells) {
  unsigned short* cell = &cells[threadIdx.x % 4];
  unsigned short old = *cell, assumed;
  do {
    assumed = old;
    old = atomicCAS(cell, assumed, static_cast<unsigned short>(assumed + threadIdx.x % 4 + 1));
  } while (old != assumed);
}

int main() {
  unsigned short cells[4] = {65535, 0, 10, 1000};
  unsigned short* device_cells;
  cudaMalloc(&device_cells, sizeof(cells));
  cudaMemcpy(device_cells, cells, sizeof(cells), cudaMemcpyHostToDevice);
  count<<<20, 64>>>(device_cells);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(cells, device_cells, sizeof(cells), cudaMemcpyDeviceToHost);
  int want[4] = {319, 640, 970, 2280};  // 320 additions each; the first wraps
  for (int i = 0; i < 4; ++i)
    if (cells[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, cells[i], want[i]), 1;
  std::puts("PASS");
}
