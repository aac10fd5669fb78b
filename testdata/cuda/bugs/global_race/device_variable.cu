// A result in a variable of device code, written by all blocks.
#include <cstdio>

__device__ float largest;

__global__ void find_largest(const float* in) {
  const float value = in[blockIdx.x];
  if (value > largest) largest = value;  // finds: global_race
}

int main() {
  float *in, host[8] = {1, 5, 2, 7, 3, 8, 4, 6};
  cudaMalloc(&in, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  find_largest<<<8, 1>>>(in);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
