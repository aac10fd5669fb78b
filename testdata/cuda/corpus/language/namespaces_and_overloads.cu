// Kernels and functions in namespaces, overloads by type, anonymous namespaces, two kernels of one name.
#include <cuda_runtime.h>

#include <cstdio>

namespace metric {
__device__ int length(int x) { return x * 100; }
__device__ int length(float x) { return static_cast<int>(x * 10); }
namespace inner {
__global__ void measure(int* out) {
  out[threadIdx.x] = length(static_cast<int>(threadIdx.x)) + length(threadIdx.x + 0.5f);
}
}  // namespace inner
}  // namespace metric

namespace {
__device__ int hidden = 5;
__global__ void measure(int* out) { out[threadIdx.x] += hidden; }
__global__ void measure(int* out, int by) { out[threadIdx.x] *= by; }
}  // namespace

int main() {
  int got[30] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  metric::inner::measure<<<1, 30>>>(out);
  measure<<<1, 30>>>(out);
  measure<<<1, 30>>>(out, -2);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 30; ++i)
    if (got[i] != (i * 100 + i * 10 + 5 + 5) * -2)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i * 100 + i * 10 + 5 + 5) * -2), 1;
  std::puts("PASS");
}
