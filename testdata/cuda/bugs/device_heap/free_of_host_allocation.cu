// Memory of cudaMalloc given to the device's free().
#include <cstdio>

__global__ void release(int* data) {
  data[0] = 0;
  free(data);  // finds: invalid_free
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  release<<<1, 1>>>(data);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
