// Macros by which programs tell nvcc from a host compiler, and device code from code of the host.
#include <cstdio>

#ifdef __NVCC__
__device__ int twice(int x) { return 2 * x; }
#endif

#if defined(__CUDACC__) && defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 11
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 800 ? 1 : 2;
#else
  return 3;
#endif
}
#endif

__global__ void fill(int* values) {
  values[0] = twice(21);
  values[1] = side();
}

int main() {
  int* values;
  cudaMallocManaged(&values, 2 * sizeof(int));
  fill<<<1, 1>>>(values);
  cudaDeviceSynchronize();
  if (values[0] != 42 || values[1] != 1 || side() != 3) {
    std::printf("FAIL: %d %d %d\n", values[0], values[1], side());
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
