// The grid is rounded down: the last elements stay without a value.
#include <cstdio>

__global__ void fill(short* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1;
}

__global__ void twice(const short* data, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = 2 * data[i];  // finds: uninitialised_read
  }
}

int main() {
  const int n = 1000, block = 128;
  short *data, *out;
  cudaMalloc(&data, n * sizeof(short));
  cudaMalloc(&out, n * sizeof(short));
  fill<<<n / block, block>>>(data, n);
  twice<<<(n + block - 1) / block, block>>>(data, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
