// Two shared arrays side by side: an index behind the first lands in the second, and nothing crashes.
#include <cstdio>

__global__ void pair(const int* in, int* out, int shift) {
  __shared__ int keys[32];
  __shared__ int values[32];
  const int t = threadIdx.x;
  keys[t] = in[t];
  values[t] = in[t] + 1;
  __syncthreads();
  const int sum = keys[t + shift];  // finds: out_of_bounds
  out[t] = sum + values[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  pair<<<1, 32>>>(in, out, 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
