// cudaMemset counts bytes; only a quarter of the array is cleared.
#include <cstdio>

__global__ void increment(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;  // finds: uninitialised_read
}

int main() {
  const int n = 512;
  int* data;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemset(data, 0, n);
  increment<<<4, 128>>>(data, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
