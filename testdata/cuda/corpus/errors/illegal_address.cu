// A kernel that writes through a null pointer: error 700 at the next synchronisation and in all later calls.
// errors: on purpose
// check: skip the kernel is wrong on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void write(int* where) { *where = 5; }

int main() {
  int* data;
  cudaMalloc(&data, sizeof(int));
  write<<<1, 1>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  write<<<1, 1>>>(nullptr);
  cudaError_t seen = cudaDeviceSynchronize();
  if (seen != cudaErrorIllegalAddress || seen != 700)
    return std::printf("FAIL got %d, wanted 700\n", seen), 1;
  int value = 0;
  void* memory = nullptr;
  cudaError_t later[4] = {cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost), cudaGetLastError(),
                          cudaMalloc(&memory, 4), cudaDeviceSynchronize()};
  for (int i = 0; i < 4; ++i)
    if (later[i] != cudaErrorIllegalAddress)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, later[i], cudaErrorIllegalAddress), 1;
  write<<<1, 1>>>(data);
  if (cudaGetLastError() != cudaErrorIllegalAddress)
    return std::puts("FAIL a launch after the error succeeded"), 1;
  std::puts("PASS");
}
