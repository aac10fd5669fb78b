// cudaGetSymbolAddress and cudaGetSymbolSize: the address works in cudaMemset, cudaMemcpy and as an argument.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned cells[100];
__device__ char tag;

__global__ void fill(unsigned* where) { where[threadIdx.x] += threadIdx.x + cells[99]; }

int main() {
  void* address = nullptr;
  size_t size = 0, small = 0;
  if (cudaGetSymbolAddress(&address, cells) != cudaSuccess || !address)
    return std::puts("FAIL no address"), 1;
  cudaGetSymbolSize(&size, cells);
  cudaGetSymbolSize(&small, tag);
  if (size != 400 || small != 1) return std::printf("FAIL sizes %zu and %zu\n", size, small), 1;
  cudaMemset(address, 1, size);
  fill<<<1, 99>>>(static_cast<unsigned*>(address));
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  unsigned got[100] = {};
  cudaMemcpy(got, address, sizeof(got), cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 100; ++i) {
    unsigned want = i < 99 ? 0x01010101u * 2 + i : 0x01010101u;
    if (got[i] != want) return std::printf("FAIL [%d] got %x, wanted %x\n", int(i), got[i], want), 1;
  }
  std::puts("PASS");
}
