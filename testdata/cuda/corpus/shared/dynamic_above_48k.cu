// Dynamic shared memory above 48 KB: refused without the opt-in, works with it.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(int* out, int count) {
  extern __shared__ int big[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) big[i] = i ^ 0x55;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = big[(i + 12345) % count];
}

int main() {
  const int count = 20 * 1024, bytes = count * 4;  // 80 KB
  static int got[count];
  int* out;
  cudaMalloc(&out, bytes);
  shift<<<1, 256, bytes>>>(out, count);
  if (cudaGetLastError() != cudaErrorInvalidValue)
    return std::puts("FAIL 80 KB were granted without opt-in"), 1;
  if (cudaFuncSetAttribute(shift, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
    return std::puts("FAIL opt-in refused"), 1;
  shift<<<1, 256, bytes>>>(out, count);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    int want = (i + 12345) % count ^ 0x55;
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
