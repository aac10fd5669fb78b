// A reversal in place inside of shared memory: the read and the write need a barrier between them.
#include <cstdio>

__global__ void reverse(int* data) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = data[t];
  __syncthreads();
  const int other = values[63 - t];  // finds: shared_race
  values[t] = other;                 // or: shared_race
  __syncthreads();
  data[t] = values[t];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(data);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
