// Only lane 0 of each warp calls the barrier that was meant for the block.
#include <cstdio>

__global__ void leader(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t % 32 == 0) {
    __syncthreads();  // finds: divergent_barrier
    value = -value;
  }
  __syncthreads();  // or: divergent_barrier; may: early_return
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 96 * sizeof(int));
  cudaMalloc(&out, 96 * sizeof(int));
  cudaMemset(in, 0, 96 * sizeof(int));
  leader<<<1, 96>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
