// Odd-even transposition sort: one launch per phase, on global memory.
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void phase(int* data, int count, int odd) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (i + 1 < count && data[i] > data[i + 1]) {
    int moved = data[i];
    data[i] = data[i + 1];
    data[i + 1] = moved;
  }
}

int main() {
  const int count = 301;
  std::vector<int> values(count), got(count);
  for (int i = 0; i < count; ++i) values[i] = i * 7919 % 1009 - 500;
  int* data;
  cudaMalloc(&data, count * sizeof(int));
  cudaMemcpy(data, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i < count; ++i) phase<<<3, 64>>>(data, count, i % 2);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end());
  for (int i = 0; i < count; ++i)
    if (got[i] != values[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], values[i]), 1;
  std::puts("PASS");
}
