// All threads of a warp take one lock in turn: each leaves the loop only after its own turn.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void in_turn(int* lock, volatile int* counter, int* order) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      int place = *counter;
      order[place] = threadIdx.x + blockIdx.x * blockDim.x;
      *counter = place + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int order[256], cells[2] = {};
  bool seen[256] = {};
  int* device_cells;
  cudaMalloc(&device_cells, sizeof(cells));
  int* device_order;
  cudaMalloc(&device_order, sizeof(order));
  cudaMemcpy(device_cells, cells, sizeof(cells), cudaMemcpyHostToDevice);
  in_turn<<<4, 64>>>(device_cells, device_cells + 1, device_order);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(cells, device_cells, sizeof(cells), cudaMemcpyDeviceToHost);
  cudaMemcpy(order, device_order, sizeof(order), cudaMemcpyDeviceToHost);
  if (cells[1] != 256) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, cells[1], 256), 1;
  for (int i = 0; i < 256; ++i) {
    if (order[i] < 0 || order[i] >= 256 || seen[order[i]])
      return std::printf("FAIL place %d holds %d\n", i, order[i]), 1;
    seen[order[i]] = true;
  }
  std::puts("PASS");
}
