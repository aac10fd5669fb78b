// An atomic counter that starts with whatever the memory held.
#include <cstdio>

__global__ void count(const int* in, int* counter) {
  if (in[threadIdx.x] == 0) atomicAdd(counter, 1);  // finds: uninitialised_read
}

int main() {
  int *in, *counter;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  count<<<1, 64>>>(in, counter);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
