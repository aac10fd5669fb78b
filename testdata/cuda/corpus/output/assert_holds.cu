// An assert in device code that holds changes nothing.
#include <cuda_runtime.h>
#include <cassert>

#include <cassert>
#include <cstdio>

__global__ void halve(int* data, int count) {
  int i = threadIdx.x;
  assert(i < count);
  assert(data[i] % 2 == 0 && "even");
  data[i] /= 2;
}

int main() {
  int values[50];
  for (int i = 0; i < 50; ++i) values[i] = i * 2;
  int* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  halve<<<1, 50>>>(data, 50);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 50; ++i)
    if (values[i] != i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], i), 1;
  std::puts("PASS");
}
