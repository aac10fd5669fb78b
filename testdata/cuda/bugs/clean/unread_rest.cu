// Half of the memory never gets a value and is never read; the buffer is copied as a whole on the device.
#include <cstdio>

__global__ void fill(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] = 3;
}

__global__ void sum(const int* data, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += data[i];
  *out = total;
}

int main() {
  int *data, *copy, *out, result = 0;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&copy, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  fill<<<1, 64>>>(data, 32);
  cudaMemcpy(copy, data, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  sum<<<1, 1>>>(copy, 32, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 96;
}
