// Dot product of floats accumulated in double: block sums, atomicAdd on double, error far below float's.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void dot(const float* a, const float* b, int count, double* out) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256)
    sum += static_cast<double>(a[i]) * b[i];
  part[threadIdx.x] = sum;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

int main() {
  const int count = 50000;
  static float a[count], b[count];
  double got = 0, want = 0;
  for (int i = 0; i < count; ++i) {
    a[i] = 1.0f / (i + 1);
    b[i] = i % 2 ? 1e4f : -9.9e3f;
    want += double(a[i]) * b[i];
  }
  float* device_a;
  cudaMalloc(&device_a, sizeof(a));
  float* device_b;
  cudaMalloc(&device_b, sizeof(b));
  double* out;
  cudaMalloc(&out, sizeof(double));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(double));
  dot<<<20, 256>>>(device_a, device_b, count, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, out, sizeof(got), cudaMemcpyDeviceToHost);
  if (!(std::fabs(got - want) <= 1e-8))
    return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", 0, double(got), double(want)), 1;
  std::puts("PASS");
}
