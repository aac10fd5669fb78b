// A do-while grid-stride loop tests after the first step, so threads beyond n take one.
#include <cstdio>

__global__ void clear(long long* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    data[i] = 0;  // finds: out_of_bounds
    i += gridDim.x * blockDim.x;
  } while (i < n);
}

int main() {
  const int n = 100;
  long long* data;
  cudaMalloc(&data, n * sizeof(long long));
  clear<<<2, 64>>>(data, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
