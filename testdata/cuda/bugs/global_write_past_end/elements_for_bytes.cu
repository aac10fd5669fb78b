// cudaMalloc takes bytes; the caller gave it elements.
#include <cstdio>

__global__ void fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;  // finds: out_of_bounds
}

int main() {
  const int n = 4096;
  float* out;
  cudaMalloc(&out, n);
  fill<<<n / 256, 256>>>(out, 2.0f, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
