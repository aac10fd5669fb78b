// The first kernel writes every second element, the second reads all of them.
#include <cstdio>

__global__ void write_even(float* data, int n) {
  const int i = 2 * threadIdx.x;
  if (i < n) data[i] = 1.0f;
}

__global__ void sum(const float* data, float* out, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += data[i];  // finds: uninitialised_read
  *out = total;
}

int main() {
  const int n = 64;
  float *data, *out;
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  write_even<<<1, 32>>>(data, n);
  sum<<<1, 1>>>(data, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
