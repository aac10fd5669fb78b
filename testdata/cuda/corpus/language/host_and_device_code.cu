// __CUDA_ARCH__ tells device from host code in a function made for both.
#include <cuda_runtime.h>

#include <cstdio>

__host__ __device__ int where(int x) {
#ifdef __CUDA_ARCH__
  return x + (__CUDA_ARCH__ >= 800 ? 1000 : 9000);
#else
  return x - 1000;
#endif
}

__global__ void compute(int* out) { out[threadIdx.x] = where(threadIdx.x); }

int main() {
  int got[10] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 10>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10; ++i) {
    if (got[i] != i + 1000) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i + 1000), 1;
    if (where(i) != i - 1000) return std::printf("FAIL [%d] got %d, wanted %d\n", i, where(i), i - 1000), 1;
  }
  std::puts("PASS");
}
