// The block counts by atomics, and every thread reads the count while others still add.
#include <cstdio>

__global__ void count(const int* in, int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (in[threadIdx.x] == 0) atomicAdd(&counter, 1);  // finds: shared_race
  out[threadIdx.x] = counter;                        // or: shared_race
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  count<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
