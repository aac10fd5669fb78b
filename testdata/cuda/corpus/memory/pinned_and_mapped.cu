// cudaMallocHost and mapped cudaHostAlloc: a kernel reads and writes host memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void triple(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * 3; }

int main() {
  int *pinned, *mapped, *device_view;
  cudaMallocHost(&pinned, 256 * sizeof(int));
  if (cudaHostAlloc(&mapped, 256 * sizeof(int), cudaHostAllocMapped) != cudaSuccess)
    return std::puts("FAIL mapped"), 1;
  if (cudaHostGetDevicePointer(&device_view, mapped, 0) != cudaSuccess) return std::puts("FAIL view"), 1;
  for (int i = 0; i < 256; ++i) pinned[i] = i - 128, mapped[i] = 0;
  int* in;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMemcpy(in, pinned, 256 * sizeof(int), cudaMemcpyHostToDevice);
  triple<<<1, 256>>>(in, device_view);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int i = 0; i < 256; ++i)
    if (mapped[i] != (i - 128) * 3)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, mapped[i], (i - 128) * 3), 1;
  triple<<<1, 256>>>(device_view, in);
  cudaMemcpy(pinned, in, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (pinned[i] != (i - 128) * 9)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, pinned[i], (i - 128) * 9), 1;
  if (cudaFreeHost(pinned) != cudaSuccess || cudaFreeHost(mapped) != cudaSuccess)
    return std::puts("FAIL free"), 1;
  std::puts("PASS");
}
