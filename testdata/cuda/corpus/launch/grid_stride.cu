// Grid-stride loop: few threads, many elements, any grid gives the same answer.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void saxpy(float a, const float* x, float* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int count = 10007;
  static float x[count], y[count], got[count];
  for (int i = 0; i < count; ++i) x[i] = i % 100, y[i] = -i % 77;
  float* device_x;
  cudaMalloc(&device_x, sizeof(x));
  float* device_y;
  cudaMalloc(&device_y, sizeof(y));
  cudaMemcpy(device_x, x, sizeof(x), cudaMemcpyHostToDevice);
  for (int blocks : {1, 3, 40, 200}) {
    cudaMemcpy(device_y, y, sizeof(y), cudaMemcpyHostToDevice);
    saxpy<<<blocks, 64>>>(2.5f, device_x, device_y, count);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, device_y, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      if (got[i] != 2.5f * x[i] + y[i])
        return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], 2.5f * x[i] + y[i]), 1;
  }
  std::puts("PASS");
}
