// One branch counts at its barrier, the other only waits.
#include <cstdio>

__global__ void vote(const int* in, int* out) {
  const int t = threadIdx.x;
  const int value = in[t];
  int positive = 0;
  if (t < 32) {
    positive = __syncthreads_count(value > 0);  // finds: divergent_barrier
  } else {
    __syncthreads();  // or: divergent_barrier
  }
  out[t] = positive;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 1, 64 * sizeof(int));
  vote<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
