// Counters in a __device__ array, one per block; the grid has one block more.
#include <cstdio>

__device__ int counters[16];

__global__ void count(const int* in) {
  const int value = in[threadIdx.x];
  if (value > 0) atomicAdd(&counters[blockIdx.x], value);  // finds: out_of_bounds
}

int main() {
  int* in;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMemset(in, 1, 32 * sizeof(int));
  count<<<17, 32>>>(in);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
