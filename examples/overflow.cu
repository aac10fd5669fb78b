// A bug to find: the last block has more threads than there are elements left, and nothing keeps them back.
// On a GPU it often goes unnoticed. cuset run examples/overflow.cu --check
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(float* values, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] *= factor;
}

int main() {
  const int n = 1000;
  float* values;
  cudaMalloc(&values, n * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(values, 2.0f);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
