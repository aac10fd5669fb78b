// The lower half of each warp waits at a barrier that the upper half jumps over.
#include <cstdio>

__global__ void lower(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t % 32 < 16) {
    value += 3;
    __syncthreads();  // finds: divergent_barrier
  }
  const int all = __syncthreads_or(value > 2);  // or: divergent_barrier; may: early_return
  out[t] = value + all;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  lower<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
