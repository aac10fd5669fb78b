// atomicInc wraps to 0 above its limit; atomicDec wraps to the limit from 0 and from above it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void turn(unsigned* cells, int* seen) {
  atomicAdd(&seen[atomicInc(&cells[0], 9)], 1);
  atomicAdd(&seen[16 + atomicDec(&cells[1], 6)], 1);
}

__global__ void outside(unsigned* cells) {
  atomicDec(&cells[2], 4);
  atomicInc(&cells[3], 4);
}

int main() {
  unsigned cells[4] = {0, 0, 100, 100};
  int seen[32] = {};
  unsigned* device_cells;
  cudaMalloc(&device_cells, sizeof(cells));
  int* device_seen;
  cudaMalloc(&device_seen, sizeof(seen));
  cudaMemcpy(device_cells, cells, sizeof(cells), cudaMemcpyHostToDevice);
  cudaMemcpy(device_seen, seen, sizeof(seen), cudaMemcpyHostToDevice);
  turn<<<7, 50>>>(device_cells, device_seen);
  outside<<<1, 1>>>(device_cells);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(cells, device_cells, sizeof(cells), cudaMemcpyDeviceToHost);
  cudaMemcpy(seen, device_seen, sizeof(seen), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10; ++i)
    if (seen[i] != 35) return std::printf("FAIL [%d] got %d, wanted %d\n", i, seen[i], 35), 1;
  for (int i = 0; i < 7; ++i)
    if (seen[16 + i] != 50) return std::printf("FAIL [%d] got %d, wanted %d\n", i, seen[16 + i], 50), 1;
  unsigned want[4] = {0, 0, 4, 0};
  for (int i = 0; i < 4; ++i)
    if (cells[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, cells[i], want[i]), 1;
  std::puts("PASS");
}
