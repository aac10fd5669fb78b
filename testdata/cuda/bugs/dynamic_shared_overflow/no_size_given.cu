// The third launch parameter was forgotten: the dynamic array has no bytes at all.
#include <cstdio>

extern __shared__ int scratch[];

__global__ void broadcast_first(const int* in, int* out) {
  if (threadIdx.x == 0) scratch[0] = in[0];  // finds: out_of_bounds
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  broadcast_first<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
