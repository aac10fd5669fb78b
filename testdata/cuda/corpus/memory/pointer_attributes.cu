// cudaPointerGetAttributes tells device, managed, pinned and plain memory apart; cudaMemGetInfo is sane.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void touch(int* data) { *data = 1; }

static int kind_of(const void* pointer) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) return -1;
  return attributes.type;
}

int main() {
  static int plain;
  int *device, *managed, *pinned;
  cudaMalloc(&device, 64);
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  touch<<<1, 1>>>(device);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  int got[5] = {kind_of(device), kind_of(device + 7), kind_of(managed), kind_of(pinned), kind_of(&plain)};
  int want[5] = {cudaMemoryTypeDevice, cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
                 cudaMemoryTypeUnregistered};
  for (int i = 0; i < 5; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  int value = 0;
  cudaMemcpy(&value, device, sizeof(value), cudaMemcpyDefault);
  if (value != 1) return std::printf("FAIL the kernel left %d\n", value), 1;
  size_t left = 0, total = 0;
  if (cudaMemGetInfo(&left, &total) != cudaSuccess || left == 0 || left > total)
    return std::printf("FAIL %zu of %zu\n", left, total), 1;
  std::puts("PASS");
}
