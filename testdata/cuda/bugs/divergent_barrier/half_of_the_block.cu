// The first two of four warps meet at a barrier of their own, the others are already at the next.
#include <cstdio>

__global__ void halves(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t < 64) {
    value *= 2;
    __syncthreads();  // finds: divergent_barrier
  }
  value += 1;
  __syncthreads();  // or: divergent_barrier; may: early_return
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  halves<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
