// A loop of atomicCAS that builds an operation the hardware lacks: maximum of floats, product of doubles.
#include <cuda_runtime.h>

#include <cstdio>

__device__ float atomic_max(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (old != assumed);
  return __int_as_float(old);
}

__device__ void atomic_multiply(double* address, double value) {
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(
        bits, assumed,
        static_cast<unsigned long long>(__double_as_longlong(value * __longlong_as_double(assumed))));
  } while (old != assumed);
}

__global__ void run(float* high, double* product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max(high, -1000.0f + i * 37 % 1024 * 0.5f);
  atomic_multiply(product, i % 2 ? 2.0 : -1.0);
}

int main() {
  float high = -1e30f;
  double product = 3;
  float* device_high;
  cudaMalloc(&device_high, 4);
  double* device_product;
  cudaMalloc(&device_product, 8);
  cudaMemcpy(device_high, &high, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(device_product, &product, 8, cudaMemcpyHostToDevice);
  run<<<8, 128>>>(device_high, device_product);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&high, device_high, sizeof(high), cudaMemcpyDeviceToHost);
  cudaMemcpy(&product, device_product, sizeof(product), cudaMemcpyDeviceToHost);
  if (high != -488.5f) return std::printf("FAIL maximum %g, wanted -488.5\n", high), 1;
  if (product != 0x3p512) return std::printf("FAIL product %g, wanted %g\n", product, 0x3p512), 1;
  std::puts("PASS");
}
