// Subnormal floats are kept by default: arithmetic near the smallest number is exact, nothing is flushed.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(float* data) {
  float x = data[threadIdx.x];
  data[threadIdx.x] = x * 0.5f + x;
  data[32 + threadIdx.x] = x / 4.0f;
  data[64 + threadIdx.x] = sqrtf(x);
}

int main() {
  float values[96] = {}, start[32];
  for (int i = 0; i < 32; ++i) values[i] = start[i] = std::ldexp(1.0f + i / 2 * 2, -140);
  float* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 32>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    if (values[i] != start[i] * 1.5f)
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, values[i], start[i] * 1.5f), 1;
    if (values[32 + i] != start[i] * 0.25f)
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, values[32 + i], start[i] * 0.25f), 1;
    if (values[64 + i] != std::sqrt(start[i]))
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, values[64 + i], std::sqrt(start[i])), 1;
  }
  std::puts("PASS");
}
