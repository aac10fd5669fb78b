// Shared memory does not start as zero.
#include <cstdio>

__global__ void count(const int* in, int* out) {
  __shared__ int counter;
  if (in[threadIdx.x] == 0) atomicAdd(&counter, 1);  // finds: uninitialised_read
  __syncthreads();
  if (threadIdx.x == 0) *out = counter;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  count<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
