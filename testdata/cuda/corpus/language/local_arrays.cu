// Local arrays with an index known only at run time, and a stack of an explicit depth-first walk.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const int* order, int* out) {
  int cells[32];
  for (int i = 0; i < 32; ++i) cells[i] = i * threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    int j = order[i];
    int moved = cells[i];
    cells[i] = cells[j];
    cells[j] = moved;
  }
  int stack[16], depth = 0, visited = 0;
  stack[depth++] = 1;
  while (depth) {
    int node = stack[--depth];
    visited += node;
    if (2 * node + 1 < 60) stack[depth++] = 2 * node, stack[depth++] = 2 * node + 1;
  }
  out[threadIdx.x] = cells[order[threadIdx.x % 32]] * 10000 + visited;
}

int main() {
  int order[32], got[64] = {}, cells[32], visited = 0;
  for (int i = 0; i < 32; ++i) order[i] = (i * 11 + 5) % 32, cells[i] = i;
  int* device_order;
  cudaMalloc(&device_order, sizeof(order));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_order, order, sizeof(order), cudaMemcpyHostToDevice);
  compute<<<1, 64>>>(device_order, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    int moved = cells[i];
    cells[i] = cells[order[i]];
    cells[order[i]] = moved;
  }
  for (int node = 1; node < 60; ++node) visited += node;
  for (int t = 0; t < 64; ++t)
    if (got[t] != cells[order[t % 32]] * t * 10000 + visited)
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t],
                         cells[order[t % 32]] * t * 10000 + visited),
             1;
  std::puts("PASS");
}
