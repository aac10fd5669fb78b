// sincosf, sincospif, sincos and sincospi fill both results.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(float2* single, double2* wide) {
  float x = threadIdx.x * 0.37f - 9;
  sincosf(x, &single[threadIdx.x].x, &single[threadIdx.x].y);
  sincospif(threadIdx.x * 0.5f, &single[50 + threadIdx.x].x, &single[50 + threadIdx.x].y);
  sincos(threadIdx.x * 0.25, &wide[threadIdx.x].x, &wide[threadIdx.x].y);
  sincospi(threadIdx.x * 0.5, &wide[50 + threadIdx.x].x, &wide[50 + threadIdx.x].y);
}

int main() {
  float2 single[100] = {};
  double2 wide[100] = {};
  float2* device_single;
  cudaMalloc(&device_single, sizeof(single));
  double2* device_wide;
  cudaMalloc(&device_wide, sizeof(wide));
  compute<<<1, 50>>>(device_single, device_wide);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(single, device_single, sizeof(single), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, device_wide, sizeof(wide), cudaMemcpyDeviceToHost);
  const double quarter[4] = {0, 1, 0, -1};
  for (int i = 0; i < 50; ++i) {
    double x = i * 0.37 - 9;
    if (!(std::fabs(single[i].x - std::sin(x)) <= 4e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(single[i].x), double(std::sin(x))), 1;
    if (!(std::fabs(single[i].y - std::cos(x)) <= 4e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(single[i].y), double(std::cos(x))), 1;
    if (single[50 + i].x != quarter[i % 4])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, single[50 + i].x, quarter[i % 4]), 1;
    if (single[50 + i].y != quarter[(i + 1) % 4])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, single[50 + i].y, quarter[(i + 1) % 4]), 1;
    if (!(std::fabs(wide[i].x - std::sin(i * 0.25)) <= 4e-16))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(wide[i].x),
                         double(std::sin(i * 0.25))),
             1;
    if (!(std::fabs(wide[i].y - std::cos(i * 0.25)) <= 4e-16))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(wide[i].y),
                         double(std::cos(i * 0.25))),
             1;
    if (wide[50 + i].x != quarter[i % 4])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, wide[50 + i].x, quarter[i % 4]), 1;
    if (wide[50 + i].y != quarter[(i + 1) % 4])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, wide[50 + i].y, quarter[(i + 1) % 4]), 1;
  }
  std::puts("PASS");
}
