// cudaFuncGetAttributes: static shared memory, the bound on threads, dynamic shared memory after the opt-in.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void __launch_bounds__(256) with_shared(int* out) {
  __shared__ int tile[300];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

int main() {
  int got[256] = {};
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, with_shared) != cudaSuccess) return std::puts("FAIL call"), 1;
  if (attributes.sharedSizeBytes != 1200)
    return std::printf("FAIL %zu bytes shared, wanted 1200\n", attributes.sharedSizeBytes), 1;
  if (attributes.maxThreadsPerBlock != 256)
    return std::printf("FAIL %d threads, wanted 256\n", attributes.maxThreadsPerBlock), 1;
  if (cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000) != cudaSuccess)
    return std::puts("FAIL opt-in"), 1;
  cudaFuncGetAttributes(&attributes, with_shared);
  if (attributes.maxDynamicSharedSizeBytes != 60000)
    return std::printf("FAIL %d dynamic\n", attributes.maxDynamicSharedSizeBytes), 1;
  int* out;
  cudaMalloc(&out, sizeof(got));
  with_shared<<<1, 512>>>(out);
  if (cudaGetLastError() == cudaSuccess)
    return std::puts("FAIL more threads than the bound were launched"), 1;
  with_shared<<<1, 256>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (got[i] != 255 - i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 255 - i), 1;
  std::puts("PASS");
}
