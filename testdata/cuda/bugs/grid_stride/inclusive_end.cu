// A grid-stride loop that runs to i <= n.
#include <cstdio>

__global__ void square(float* data, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += stride) {
    data[i] = 2.0f;  // finds: out_of_bounds
  }
}

int main() {
  const int n = 1024;
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  square<<<2, 64>>>(data, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
