// const __restrict__, __ldg, volatile, __launch_bounds__ and unrolling do not change results.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void __launch_bounds__(128, 2)
    blend(const float* __restrict__ a, const float4* __restrict__ b, float* __restrict__ out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 quad = __ldg(&b[i / 4]);
  const float parts[4] = {quad.x, quad.y, quad.z, quad.w};
  volatile float sum = __ldg(a + i);
#pragma unroll 3
  for (int k = 0; k < 7; ++k) sum = sum + k;
  out[i] = sum + parts[i % 4];
}

int main() {
  float a[500], b[500], got[500] = {};
  for (int i = 0; i < 500; ++i) a[i] = i * 2, b[i] = i * 0.5f;
  float* device_a;
  cudaMalloc(&device_a, sizeof(a));
  float* device_b;
  cudaMalloc(&device_b, sizeof(b));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  blend<<<4, 128>>>(device_a, reinterpret_cast<float4*>(device_b), out, 500);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 500; ++i)
    if (got[i] != i * 2.5f + 21)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], i * 2.5f + 21), 1;
  std::puts("PASS");
}
