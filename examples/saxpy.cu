// y = a x + y, on n elements: cuset run examples/saxpy.cu -- 1000000
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *device_x, *device_y;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, device_x, device_y);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::fprintf(stderr, "saxpy: %s\n", cudaGetErrorString(error));
    return 1;
  }

  cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (float value : y) worst = std::fmax(worst, std::fabs(value - 4.0f));
  std::printf("n = %d, largest error %g\n", n, worst);
  cudaFree(device_x);
  cudaFree(device_y);
  return worst == 0 ? 0 : 1;
}
