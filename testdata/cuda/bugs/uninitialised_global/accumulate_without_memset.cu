// Sums are added into memory that nobody cleared.
#include <cstdio>

__global__ void accumulate(const float* in, float* sums) {
  const float value = in[threadIdx.x];
  sums[threadIdx.x] += value;  // finds: uninitialised_read
}

int main() {
  float *in, *sums;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&sums, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  accumulate<<<1, 32>>>(in, sums);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
