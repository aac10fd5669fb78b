// __syncthreads makes a block's writes to global memory visible to the block.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void pass_along(int* line) {
  int* mine = line + blockIdx.x * 100;
  for (int step = 1; step < 10; ++step) {
    int left = mine[(threadIdx.x + 99) % 100];
    __syncthreads();
    mine[threadIdx.x] = left + 1;
    __syncthreads();
  }
}

int main() {
  int values[400];
  for (int i = 0; i < 400; ++i) values[i] = i % 100 * 1000 + i / 100;
  int* line;
  cudaMalloc(&line, sizeof(values));
  cudaMemcpy(line, values, sizeof(values), cudaMemcpyHostToDevice);
  pass_along<<<4, 100>>>(line);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, line, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 400; ++i) {
    int want = (i % 100 + 91) % 100 * 1000 + i / 100 + 9;
    if (values[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], want), 1;
  }
  std::puts("PASS");
}
