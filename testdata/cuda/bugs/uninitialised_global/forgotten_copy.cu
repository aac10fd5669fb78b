// One of the two inputs is never copied to the device.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float left = a[i];
    c[i] = left + b[i];  // finds: uninitialised_read
  }
}

int main() {
  const int n = 500;
  std::vector<float> host(n, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<4, 128>>>(a, b, c, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
