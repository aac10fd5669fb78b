// Both branches have a barrier, but not the same one.
#include <cstdio>

__global__ void branches(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t % 2 == 0) {
    value += 1;
    __syncthreads();  // finds: divergent_barrier
  } else {
    value -= 1;
    __syncthreads();  // or: divergent_barrier
  }
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  branches<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
