// An assert in device code that fails: the host sees cudaErrorAssert, now and in later calls.
// errors: on purpose
// check: skip the assert fails on purpose
#include <cuda_runtime.h>
#include <cassert>

#include <cassert>
#include <cstdio>

__global__ void look(const int* data) { assert(data[threadIdx.x] != 13); }

int main() {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  int* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  look<<<1, 10>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL the first ten values are fine"), 1;
  look<<<1, 32>>>(data);
  cudaError_t first = cudaDeviceSynchronize(),
              later = cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  if (first != cudaErrorAssert || first != 710) return std::printf("FAIL got %d, wanted 710\n", first), 1;
  if (later != cudaErrorAssert) return std::printf("FAIL later %d, wanted 710\n", later), 1;
  std::puts("PASS");
}
