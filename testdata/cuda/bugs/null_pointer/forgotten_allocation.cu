// The optional bias is null and the kernel does not ask.
#include <cstdio>

__global__ void add_bias(float* data, const float* bias, int n) {
  const int i = threadIdx.x;
  if (i < n) data[i] += bias[i];  // finds: out_of_bounds "null"
}

int main() {
  const int n = 32;
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  cudaMemset(data, 0, n * sizeof(float));
  add_bias<<<1, 32>>>(data, nullptr, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
